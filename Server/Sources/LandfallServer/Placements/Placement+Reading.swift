// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func placements(
        _ node: ConfigurationNode, audiences: Named<Audience>, paywalls: Named<Paywall>
    ) -> [Placement] {
        var placements: [Placement] = []
        for entry in entries(node, of: "'placements'") ?? [] {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A placement")
            let placement = placement(entry, audiences: audiences, paywalls: paywalls)
            if isName, let placement { placements.append(placement) }
        }
        return placements
    }

    private mutating func placement(
        _ entry: ConfigurationNode.Entry, audiences: Named<Audience>, paywalls: Named<Paywall>
    ) -> Placement? {
        let what = "The placement '\(entry.key.shortened)'"
        guard let elements = list(entry.value, of: what) else { return nil }
        var seen: Set<AudienceID> = []
        var offers: [Placement.Offer] = []
        var everyone: Paywall?
        for (index, element) in elements.enumerated() {
            guard let fields = fields(element, of: "An entry of a placement", required: ["audience", "paywall"]) else {
                continue
            }
            let paywall = reference(fields["paywall"], "paywall", paywalls)
            guard let node = fields["audience"], let name = text(node, "'audience'") else { continue }
            if !seen.insert(AudienceID(name)).inserted {
                note(
                    node.place,
                    "The audience '\(name.shortened)' is here a second time and would never match. Keep one of them.")
            }
            if AudienceID(name) == .everyone {
                if index != elements.count - 1 {
                    note(node.place, "'everyone' matches every install, so nothing below it is ever shown. Move it to the end.")
                }
                everyone = paywall
            } else if let audience = reference(node, "audience", audiences), let paywall {
                offers.append(Placement.Offer(audience: audience, paywall: paywall))
            }
        }
        if !seen.contains(.everyone) {
            note(entry.keyPlace, "\(what) does not end with 'everyone'. Add: - { audience: everyone, paywall: … }")
        }
        return everyone.map { Placement(id: PlacementID(entry.key), offers: offers, everyone: $0) }
    }
}
