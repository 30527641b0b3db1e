// SPDX-License-Identifier: Apache-2.0

/// The way from a tap to a paywall and to a purchase, as bars one below the other. Taps and installs are counted apart: between them the picture
/// has a break, and no share goes across it.
struct FunnelSteps: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        enum Side: Hashable, Sendable { case taps, installs }

        /// A column of the reports.
        let name: String
        let side: Side
        /// Nil where it cannot be known.
        let value: Int64?

        init(_ name: String, _ side: Side, _ value: Int64?) {
            self.name = name
            self.side = side
            self.value = value
        }

        /// Installs that saw no paywall count too.
        fileprivate var isApart: Bool { name.hasPrefix("converted.") || name == "purchased" }
    }

    let steps: [Step]

    func html(_ words: Words) -> HTML {
        div(.class("funnel")) {
            side(.taps, words)
            p(.class("break")) { span(Attribute("aria-hidden", "true")) { "‖" }; words.funnelBreak }
            side(.installs, words)
        }
    }

    private func side(_ side: Step.Side, _ words: Words) -> HTML {
        let steps = steps.filter { $0.side == side }
        return ol {
            for index in steps.indices { bar(index, of: steps, words) }
        }
    }

    private func bar(_ index: Int, of steps: [Step], _ words: Words) -> HTML {
        let step = steps[index]
        return li {
            p(.class("step")) { strong { words.column(step.name) }; span(.class("number")) { step.value.map { words.language.count($0) } ?? "–" } }
            svg(Attribute("viewBox", "0 0 100 8"), Attribute("preserveAspectRatio", "none"), Attribute("aria-hidden", "true")) {
                rect(.class("track"), Attribute("width", "100"), Attribute("height", "8")) {}
                rect(.class("now"), Attribute("width", width(step, steps[0])), Attribute("height", "8")) {}
            }
            if let text = shares(index, of: steps, words) { p(.class("quiet")) { text } }
        }
    }

    /// Of the first step, and of the previous one. Metrics and purchases count all first opens, with a paywall and without: they are a part
    /// of the first step and of no other. Nil for the first step.
    private func shares(_ index: Int, of steps: [Step], _ words: Words) -> String? {
        guard index > 0 else { return nil }
        let step = steps[index], ofFirst = words.shareOfFirst(share(step, steps[0], words))
        return step.isApart ? ofFirst : ofFirst + " · " + words.shareOfPrevious(share(step, steps[index - 1], words))
    }

    /// In thousandths of the bar, so that a small share is still seen.
    private func width(_ step: Step, _ first: Step) -> String {
        guard let value = step.value, let whole = first.value, whole > 0, value > 0 else { return "0" }
        let thousandths = min(1000, max(5, Int((Double(value) / Double(whole) * 1000).rounded())))
        return "\(thousandths / 10).\(thousandths % 10)"
    }

    private func share(_ step: Step, _ whole: Step, _ words: Words) -> String {
        guard let value = step.value, let all = whole.value, all > 0 else { return "–" }
        return words.language.share(Double(value) / Double(all))
    }
}

extension Words {
    var funnelSteps: String { translate("Step by step") }
    var funnelBreak: String {
        translate("Above, taps are counted; below, installs. Nobody knows which tap becomes which install, and most installs come without a tap.")
    }
    func shareOfFirst(_ share: String) -> String { translate("\(share) of the first step") }
    func shareOfPrevious(_ share: String) -> String { translate("\(share) of the previous") }
}
