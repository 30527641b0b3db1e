// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a test device sees at a placement now, or would see by a draft.
struct PlacementDevice: Hashable, Sendable {
    struct Answer: Hashable, Sendable {
        let explained: WhyPage.Explained
        /// The page that explains it; nil for a draft, which no page explains.
        let why: Place?
    }

    let name: String
    /// Nil for a device that has not opened the app yet.
    let answer: Answer?

    /// Whether it matches an audience, and whether that one decides.
    func mark(_ audience: String, _ words: Words) -> HTML? {
        answer?.explained.audiences.first { $0.name.hasSameBytes(as: audience) }.map { found in
            span(.class("line quiet")) {
                name + ": " + words.name(of: found.result) + " "
                if found.isChosen { span(.class("badge")) { words.isChosen } }
            }
        }
    }
}

extension Frame {
    /// The form that asks for the answer of one of the devices, and the answer.
    /// - Parameter forms: of the page; one with a draft is sent along.
    func asking(_ devices: [String], at place: Place, _ device: PlacementDevice?, _ forms: ConfigurationForms?) -> HTML {
        let choice = div(.class("field")) {
            label(Attribute("for", "device")) { words.name(of: .testDevice) }
            select(.id("device"), .name("device")) {
                for name in devices { option(.value(name), .flag("selected", device?.name == name)) { name } }
            }
        }
        return section(.class("block")) {
            if let forms, forms.draft != nil {
                h2 { words.deviceWouldSee }
                editing(place, forms) {
                    choice
                    button(.name("change"), .value("device")) { words.explainDraft }
                }
            } else {
                h2 { words.deviceSees }
                form(.action(place)) {
                    choice
                    button { words.explainNow }
                }
            }
            if let device { answer(of: device) }
        }
    }

    @HTMLBuilder private func answer(of device: PlacementDevice) -> HTML {
        if let answer = device.answer {
            let explained = answer.explained
            p(Attribute("role", "status")) { strong { words.sees(explained.paywall, for: explained.audience) } }
            if let reason = explained.testDevice?.reason { p { words.isTestDevice(device.name); " "; code { reason } } }
            if !explained.isFinal { p { words.notFinal } }
            if let why = answer.why { p { a(.href(why)) { words.why } } }
        } else {
            p(Attribute("role", "status"), .class("empty")) { words.deviceUnknown(device.name) }
        }
    }
}
