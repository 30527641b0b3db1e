// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func events(_ node: ConfigurationNode) -> Named<(type: Event.Kind, declaration: EventDeclaration)> {
        var events = Named<(type: Event.Kind, declaration: EventDeclaration)>()
        for entry in entries(node, of: "'events'") ?? [] {
            let type = Event.Kind(entry.key)
            var isUsable = type.isWellFormed
            if !isUsable {
                note(
                    entry.keyPlace,
                    "An event cannot be called '\(entry.key.shortened)'. Use 1 to 64 of a-z, 0-9, '_' and '.'.")
            } else if Event.Kind.reserved.contains(type) {
                note(entry.keyPlace, "'\(entry.key)' is recorded by the SDK itself. Give this event another name.")
                isUsable = false
            }
            let declaration = event(entry)
            events.add(entry.key, isUsable ? declaration.map { (type, $0) } : nil)
        }
        return events
    }

    private mutating func event(_ entry: ConfigurationNode.Entry) -> EventDeclaration? {
        if entry.value.isNull { return EventDeclaration() }
        let what = "The event '\(entry.key.shortened)'"
        guard let fields = fields(entry.value, of: what, optional: ["value", "properties"]) else { return nil }
        var declaration = EventDeclaration()
        declaration.hasValue = flag(fields["value"], "'value'") ?? false
        guard let properties = fields["properties"] else { return declaration }
        let entries = entries(properties, of: "'properties'") ?? []
        if entries.count > Limits.eventProperties {
            note(properties.place, "\(what) has \(entries.count) properties; at most \(Limits.eventProperties) fit. Remove some.")
        }
        for property in entries {
            let isName = isName(property.key, at: property.keyPlace, of: "A property", longest: Limits.eventPropertyName)
            let type = choice(property.value, "The type of '\(property.key.shortened)'", as: AttributeType.self)
            if isName, let type { declaration.properties[property.key] = type }
        }
        return declaration
    }
}
