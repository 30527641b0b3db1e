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
        let placements = Set(placements.map { ExactText($0.rawValue) })
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
        _ entry: ConfigurationNode.Entry, _ audiences: Set<ExactText>, _ placements: Set<ExactText>, _ paywalls: Named<Paywall>
    ) -> TestDevice? {
        let what = "The test device '\(entry.key.shortened)'"
        let fields = fields(entry.value, of: what, required: ["install"], optional: ["audience", "paywalls"])
        guard let fields else { return nil }
        let install = text(fields["install"], "'install'")
        if let node = fields["install"], let install, !install.isLowerCaseUUID {
            note(node.place, "'install' is not an install id. Copy it from print(landfall.explain()), in lower case.")
        }
        let audience = text(fields["audience"], "'audience'")
        if let node = fields["audience"], let audience { _ = isKnown(audience, "audience", at: node.place, among: audiences) }
        var chosen: [PlacementID: Paywall] = [:]
        for element in fields["paywalls"].map({ entries($0, of: "'paywalls'") ?? [] }) ?? [] {
            _ = isKnown(element.key, "placement", at: element.keyPlace, among: placements)
            if let paywall = reference(element.value, "paywall", paywalls) { chosen[PlacementID(element.key)] = paywall }
        }
        guard let install else { return nil }
        return TestDevice(name: entry.key, install: InstallID(install), audience: audience.map { AudienceID($0) }, paywalls: chosen)
    }
}
