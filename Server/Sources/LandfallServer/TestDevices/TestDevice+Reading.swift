// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func testDevices(
        _ node: ConfigurationNode, audiences: Set<ExactText>, placements: [PlacementID], paywalls: Named<Paywall>
    ) -> [TestDevice] {
        let entries = entries(node, of: "'testDevices'") ?? []
        if entries.count > TestDevice.most {
            note(node.place, "'testDevices' has \(entries.count) entries; at most \(TestDevice.most) fit. Remove some.")
        }
        var devices: [TestDevice] = [], names: [InstallID: String] = [:]
        for entry in entries.prefix(TestDevice.most) {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A test device")
            guard let device = testDevice(entry, audiences, placements, paywalls), isName else { continue }
            if let other = names.updateValue(entry.key, forKey: device.install) {
                note(entry.keyPlace, "'\(entry.key)' and '\(other)' are the same install. Keep one of them.")
            }
            devices.append(device)
        }
        return devices
    }

    private mutating func testDevice(
        _ entry: ConfigurationNode.Entry, _ audiences: Set<ExactText>, _ placements: [PlacementID], _ paywalls: Named<Paywall>
    ) -> TestDevice? {
        let what = "The test device '\(entry.key.shortened)'"
        let fields = fields(entry.value, of: what, required: ["install"], optional: ["audience", "paywalls"])
        guard let fields else { return nil }
        let install = text(fields["install"], "'install'")
        if let node = fields["install"], let install, !install.isLowerCaseUUID {
            note(node.place, "'install' is no install id. Copy it from print(landfall.explain()), in lower case.")
        }
        let audience = text(fields["audience"], "'audience'")
        if let node = fields["audience"], let audience { check(audience, "audience", at: node, among: audiences.map(\.text)) }
        var chosen: [PlacementID: Paywall] = [:]
        for element in fields["paywalls"].map({ entries($0, of: "'paywalls'") ?? [] }) ?? [] {
            if !placements.contains(PlacementID(element.key)) {
                let known = Suggestion.sentence(for: element.key, among: placements.map(\.rawValue))
                note(element.keyPlace, "There is no placement '\(element.key.shortened)'.\(known)")
            }
            guard let name = text(element.value, "A paywall") else { continue }
            check(name, "paywall", at: element.value, among: paywalls.names.map(\.text))
            if let paywall = paywalls[name] { chosen[PlacementID(element.key)] = paywall }
        }
        guard let install else { return nil }
        return TestDevice(name: entry.key, install: InstallID(install), audience: audience.map { AudienceID($0) }, paywalls: chosen)
    }

    /// Something that another part of the file defines.
    private mutating func check(_ name: String, _ kind: String, at node: ConfigurationNode, among known: [String]) {
        guard !known.contains(where: name.hasSameBytes) else { return }
        note(node.place, "There is no \(kind) '\(name.shortened)'.\(Suggestion.sentence(for: name, among: known))")
    }
}
