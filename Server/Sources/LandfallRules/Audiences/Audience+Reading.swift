// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func attributeTypes(_ node: ConfigurationNode) -> [String: AttributeType] {
        var types: [String: AttributeType] = [:]
        for entry in entries(node, of: "'attributes'") ?? [] {
            let isName = isName(entry.key, at: entry.keyPlace, of: "An attribute", longest: Limits.attributeKey)
            let type = choice(entry.value, "The type of '\(entry.key.shortened)'", as: AttributeType.self)
            if isName, let type { types[entry.key] = type }
        }
        return types
    }

    /// - Parameter segments: nil if the file has none.
    mutating func audiences(
        _ node: ConfigurationNode?, segments: ConfigurationNode?, attributeTypes: [String: AttributeType], accessLevels: [AccessLevel],
        products: FileProducts
    ) -> Named<Audience> {
        var context = ConditionContext(attributeTypes: attributeTypes, accessLevels: accessLevels, products: products)
        if let segments { self.segments(segments, &context) }
        var audiences = Named<Audience>()
        for entry in node.map({ entries($0, of: "'audiences'") ?? [] }) ?? [] {
            var isName = isName(entry.key, at: entry.keyPlace, of: "An audience")
            if AudienceID(entry.key) == .everyone {
                note(entry.keyPlace, "'everyone' is a built-in audience. Give this audience another name.")
                isName = false
            }
            let condition = rule(entry.value, &context)
            audiences.add(entry.key, isName ? condition.map { Audience(id: AudienceID(entry.key), condition: $0) } : nil)
        }
        return audiences
    }
}
