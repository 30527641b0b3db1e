// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func placements(
        _ node: ConfigurationNode, audiences: Named<Audience>, paywalls: Named<Paywall>, experiments: Named<Experiment>
    ) -> [Placement] {
        var placements: [Placement] = []
        for entry in entries(node, of: "'placements'") ?? [] {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A placement")
            let placement = placement(entry, audiences: audiences, paywalls: paywalls, experiments: experiments)
            if isName, let placement { placements.append(placement) }
        }
        return placements
    }

    private mutating func placement(
        _ entry: ConfigurationNode.Entry, audiences: Named<Audience>, paywalls: Named<Paywall>, experiments: Named<Experiment>
    ) -> Placement? {
        let what = "The placement '\(entry.key.shortened)'"
        guard let elements = list(entry.value, of: what) else { return nil }
        var seen: Set<AudienceID> = []
        var offers: [Placement.Offer] = []
        var everyone: Placement.Showing?
        for (index, element) in elements.enumerated() {
            let fields = fields(
                element, of: "An entry of a placement", required: ["audience"], optional: ["paywall", "experiment"])
            guard let fields else { continue }
            let showing = showing(fields, paywalls, experiments)
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
                everyone = showing
            } else if let audience = reference(node, "audience", audiences), let showing {
                offers.append(Placement.Offer(audience: audience, showing: showing))
            }
        }
        if !seen.contains(.everyone) {
            note(entry.keyPlace, "\(what) does not end with 'everyone'. Add: - { audience: everyone, paywall: … }")
        }
        return everyone.map { Placement(id: PlacementID(entry.key), offers: offers, everyone: $0) }
    }

    /// What an entry shows: either a paywall or an experiment.
    private mutating func showing(
        _ fields: Fields, _ paywalls: Named<Paywall>, _ experiments: Named<Experiment>
    ) -> Placement.Showing? {
        switch (fields["paywall"], fields["experiment"]) {
        case (let node?, nil): return reference(node, "paywall", paywalls).map { Placement.Showing($0) }
        case (nil, let node?): return reference(node, "experiment", experiments).map { Placement.Showing($0) }
        case (nil, nil):
            note(fields.place, "An entry of a placement needs 'paywall' or 'experiment'. Add one of them.")
        case (_?, let node?):
            note(node.place, "An entry of a placement has either 'paywall' or 'experiment'. Remove one of them.")
        }
        return nil
    }
}
