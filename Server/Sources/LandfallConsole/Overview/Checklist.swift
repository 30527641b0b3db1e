// SPDX-License-Identifier: Apache-2.0

/// What a new server needs, in order. Each step is done when the server has seen it, so nobody ticks it.
struct Checklist: Hashable, Sendable {
    enum Step: String, CaseIterable, Sendable { case keyUsed, firstOpen, linkTapped, attributed, paywallShown }

    let done: Set<Step>
    /// The team has hidden it.
    let isHidden: Bool

    init(done: Set<Step>, isHidden: Bool = false) {
        self.done = done
        self.isHidden = isHidden
    }

    var isComplete: Bool { done.count == Step.allCases.count }

    func html(_ frame: Frame) -> HTML {
        let words = frame.words
        if isHidden { return frame.can(.publishing) ? choice(frame, "shown", words.showChecklist) : .empty }
        return section(.class("block checklist"), Attribute("data-checklist", "")) {
            header(.class("head")) {
                h2 { words.checklist }
                if frame.can(.publishing) { choice(frame, "hidden", words.hideChecklist) }
            }
            p(.class("note")) { words.checklistText }
            ol {
                for step in Step.allCases {
                    let isDone = done.contains(step)
                    li(.class(isDone ? "done" : "open"), Attribute("data-step", step.rawValue)) {
                        span(.class("tick"), Attribute("aria-hidden", "true")) {}
                        div {
                            // A reader hears the step with its new state.
                            span(Attribute("role", "status")) {
                                strong { words.name(of: step) }
                                span(.class("hidden state"), Attribute("data-done", words.isDone)) { isDone ? words.isDone : words.isOpen }
                            }
                            p { words.advice(on: step) }
                        }
                    }
                }
            }
        }
    }

    private func choice(_ frame: Frame, _ value: String, _ title: String) -> HTML {
        form(Attribute("method", "post"), .action(Place("/console/checklist"))) {
            frame.proof
            input(.type("hidden"), .name("list"), .value(value))
            button(.class("plain")) { title }
        }
    }
}

extension Words {
    var hideChecklist: String { translate("Hide this list") }
    var showChecklist: String { translate("Show the first steps") }
    var checklist: String { translate("Getting started") }
    var checklistText: String { translate("Each step ticks itself when the server sees it happen.") }
    var isDone: String { translate("Done") }
    var isOpen: String { translate("Not yet") }

    func name(of step: Checklist.Step) -> String {
        switch step {
        case .keyUsed: translate("A key is used")
        case .firstOpen: translate("A first open arrives")
        case .linkTapped: translate("A link is tapped")
        case .attributed: translate("A source is known")
        case .paywallShown: translate("A paywall is shown")
        }
    }

    func advice(on step: Checklist.Step) -> String {
        switch step {
        case .keyUsed: translate("Add the SDK with this server's address and your SDK key.")
        case .firstOpen: translate("Open the app for the first time.")
        case .linkTapped: translate("Make a link and tap it on a phone.")
        case .attributed: translate("Open the app after the tap: its first open names the link.")
        case .paywallShown: translate("Ask for a placement and report the paywall that you show.")
        }
    }
}
