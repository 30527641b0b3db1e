// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    private static let longestSalt = 64

    mutating func layers(_ node: ConfigurationNode) -> Named<Layer> {
        var layers = Named<Layer>()
        let entries = entries(node, of: "'layers'") ?? []
        if entries.count > Layer.most {
            note(node.place, "'layers' has \(entries.count) entries; at most \(Layer.most) fit. Remove some.")
        }
        var salts: [ExactText: String] = [:]
        for entry in entries.prefix(Layer.most) {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A layer")
            var salt = entry.key
            if !entry.value.isNull {
                let fields = fields(entry.value, of: "The layer '\(entry.key.shortened)'", optional: ["salt"])
                salt = text(fields?["salt"], "'salt'", longest: Self.longestSalt) ?? entry.key
                if let node = fields?["salt"], salt.utf8.contains(0) {
                    note(node.place, "'salt' has a NUL character. Remove it.")
                }
            }
            if let other = salts.updateValue(entry.key, forKey: ExactText(salt)) {
                note(
                    entry.keyPlace,
                    "The layers '\(other.shortened)' and '\(entry.key.shortened)' have the same salt, so they would draw the same units. Give one another salt.")
            }
            layers.add(entry.key, isName ? Layer(name: entry.key, salt: salt) : nil)
        }
        return layers
    }

    mutating func holdouts(_ node: ConfigurationNode) -> Named<Holdout> {
        var holdouts = Named<Holdout>()
        let entries = entries(node, of: "'holdouts'") ?? []
        if entries.count > Holdout.most {
            note(node.place, "'holdouts' has \(entries.count) entries; at most \(Holdout.most) fit. Remove some.")
        }
        for entry in entries.prefix(Holdout.most) {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A holdout")
            let fields = fields(entry.value, of: "The holdout '\(entry.key.shortened)'", required: ["share"])
            let share = fields?["share"].flatMap { percentage($0, "'share'") }
            holdouts.add(entry.key, isName ? share.map { Holdout(name: entry.key, share: $0) } : nil)
        }
        return holdouts
    }
}
