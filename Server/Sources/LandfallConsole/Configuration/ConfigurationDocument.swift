// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
import LandfallWire
import Synchronization

/// A version of the configuration as people look at it: its text and the values in it.
package struct ConfigurationDocument: Sendable {
    let number: Int64
    let text: String
    package let root: ConfigurationNode
    private let layout: ConfigurationLayout

    /// - Returns: nil for a text that is not YAML.
    package init?(number: Int64, text: String) {
        var source = ConfigurationText()
        guard let root = source.parse(text), source.problems.isEmpty else { return nil }
        self.init(number: number, text: text, root: root)
    }

    /// - Parameter root: the values of the text.
    init(number: Int64, text: String, root: ConfigurationNode) {
        (self.number, self.text, self.root) = (number, text, root)
        layout = ConfigurationLayout(lines: ConfigurationLines(text))
    }

    /// How many values the file has, with those that aliases repeat: the last one has this number.
    var valueCount: Int {
        var node = root
        while let next = node.entries.last?.value ?? node.items.last { node = next }
        return node.place.node
    }

    /// In the order of the file.
    var accessLevels: [AccessLevel] {
        guard case .list(let elements)? = root["accessLevels"]?.content else { return [] }
        return elements.compactMap { $0.text.map { AccessLevel(rawValue: $0) } }
    }

    /// The entries of a section, in the order of the file.
    func entries(_ section: String) -> [ConfigurationNode.Entry] { root[section]?.entries ?? [] }

    package func entry(_ section: String, _ name: String) -> ConfigurationNode? { root[section]?[name] }

    /// The text of an entry; nil where its end cannot be found.
    func text(of steps: [ConfigurationEditPath.Step]) -> String? {
        ConfigurationEditPath(steps).flatMap { try? layout.place(of: $0, in: root) }.map { layout.lines.text(of: $0) }
    }

}

/// Keeps the newest version in the form that pages read, so that not every page parses the file.
final class ConfigurationDocuments: Sendable {
    private let kept = Mutex<ConfigurationDocument?>(nil)

    /// The newest version of the store; nil where there is none, or where it is not YAML.
    func newest(_ store: ConfigurationStore) async throws -> ConfigurationDocument? {
        guard let number = try await store.newestNumber() else { return nil }
        return try await version(number, store)
    }

    /// Nil where there is no such version.
    func version(_ number: Int64, _ store: ConfigurationStore) async throws -> ConfigurationDocument? {
        if let document = kept.withLock({ $0 }), document.number == number { return document }
        guard let version = try await store.version(number), let document = ConfigurationDocument(number: number, text: version.text) else {
            return nil
        }
        // An older version is asked for where somebody edits one that is no longer the newest.
        kept.withLock { if number >= $0?.number ?? 0 { $0 = document } }
        return document
    }
}

/// Who refers to a part of the configuration.
extension ConfigurationDocument {
    func uses(ofAudience name: String) -> [ConfigurationUse] {
        let placements = entries("placements").filter { entry in
            entry.value.items.contains { $0.text("audience")?.hasSameBytes(as: name) == true }
        }
        let devices = entries("testDevices").filter { $0.value.text("audience")?.hasSameBytes(as: name) == true }
        return placements.map { ConfigurationUse(.placement, $0.key) } + devices.map { ConfigurationUse(.testDevice, $0.key) }
    }

    func uses(ofPaywall name: String) -> [ConfigurationUse] {
        func isIt(_ node: ConfigurationNode?) -> Bool { node?.text?.hasSameBytes(as: name) == true }
        let placements = entries("placements").filter { entry in entry.value.items.contains { isIt($0["paywall"]) } }
        let experiments = entries("experiments").filter { entry in
            entry.value["variations"]?.entries.contains { isIt($0.value["paywall"]) } == true
        }
        let devices = entries("testDevices").filter { entry in
            entry.value["paywalls"]?.entries.contains { isIt($0.value) } == true
        }
        return placements.map { ConfigurationUse(.placement, $0.key) } + experiments.map { ConfigurationUse(.experiment, $0.key) }
            + devices.map { ConfigurationUse(.testDevice, $0.key) }
    }

    func uses(ofExperiment name: String) -> [ConfigurationUse] {
        entries("placements").filter { entry in
            entry.value.items.contains { $0["experiment"]?.text?.hasSameBytes(as: name) == true }
        }.map { ConfigurationUse(.placement, $0.key) }
    }

    func uses(ofPlacement name: String) -> [ConfigurationUse] {
        entries("testDevices").filter { $0.value["paywalls"]?.has(name) == true }.map { ConfigurationUse(.testDevice, $0.key) }
    }
}
