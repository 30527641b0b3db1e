// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a test device sees at a placement now.
struct PlacementDevice: Hashable, Sendable {
    struct Answer: Hashable, Sendable {
        let explained: WhyPage.Explained
        /// The page that explains it.
        let why: Place
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
    func asking(_ devices: [String], at place: Place, _ device: PlacementDevice?) -> HTML {
        section(.class("block")) {
            h2 { words.deviceSees }
            form(.class("toolbar"), .action(place)) {
                label(Attribute("for", "device")) { words.name(of: .testDevice) }
                select(.id("device"), .name("device")) {
                    for name in devices { option(.value(name), .flag("selected", device?.name == name)) { name } }
                }
                button { words.explainNow }
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
            p { a(.href(answer.why)) { words.why } }
        } else {
            p(Attribute("role", "status"), .class("empty")) { words.deviceUnknown(device.name) }
        }
    }
}
