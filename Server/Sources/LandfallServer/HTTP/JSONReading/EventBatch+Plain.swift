// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension EventBatch: PlainlyReadable {
    /// The form that phones send. `Codable` took a fifth of an event's cost on the server.
    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var events: [Event]?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            guard key == "events" else { throw PlainJSON.NotPlain() }
            try events.set(Self.events(&json))
        }
        guard let events else { throw PlainJSON.NotPlain() }
        self.init(events: events)
    }

    private static func events(_ json: inout PlainJSON) throws(PlainJSON.NotPlain) -> [Event] {
        var events: [Event] = []
        try json.list { json throws(PlainJSON.NotPlain) in events.append(try Event(plain: &json)) }
        return events
    }
}

extension Event {
    fileprivate init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var id: String?, type: String?, age: Int64?, placement: String?, paywall: String?, variation: String?
        var audience: String?, revision: Int64?, origin: String?, elapsed: Int64?
        var assignment: Assignment?, value: EventValue?, currency: String?, properties: [String: AttributeValue]?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "id": try id.set(json.string())
            case "type": try type.set(json.string())
            case "ageMilliseconds": try age.set(json.integer())
            case "placement": try placement.set(json.string())
            case "paywall": try paywall.set(json.string())
            case "variationId": try variation.set(json.string())
            case "audience": try audience.set(json.string())
            case "revision": try revision.set(json.integer())
            case "origin": try origin.set(json.string())
            case "elapsedMilliseconds": try elapsed.set(json.integer())
            case "assignment": try assignment.set(Assignment(plain: &json))
            case "value": try value.set(EventValue(milliunits: json.thousandths()))
            case "currency": try currency.set(json.string())
            case "properties": try properties.set([String: AttributeValue](plain: &json))
            default: throw PlainJSON.NotPlain()
            }
        }
        guard let id, let type, let age else { throw PlainJSON.NotPlain() }
        self.init(id: id, type: Kind(rawValue: type), ageMilliseconds: age)
        self.placement = placement.map { PlacementID($0) }
        self.paywall = paywall.map { PaywallID($0) }
        variationId = variation.map { VariationID($0) }
        self.audience = audience.map { AudienceID($0) }
        self.revision = revision
        self.origin = origin
        elapsedMilliseconds = elapsed
        self.assignment = assignment
        self.value = value
        self.currency = currency
        self.properties = properties
    }
}
