// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// An own event as the configuration declares it: what of it is kept.
struct EventDeclaration: Hashable, Sendable {
    var hasValue = false
    /// By names that are ASCII.
    var properties: [String: AttributeType] = [:]
}

/// What is kept of an own event beside its type and time.
struct EventContent: Hashable, Sendable {
    var milliunits: Int64?
    var currency: String?
    /// A JSON object, keys sorted.
    var properties: String?
}

extension EventDeclaration {
    /// What is not declared is left out: the rest of the event counts all the same.
    /// - Returns: nil where nothing is left.
    func content(of event: Event) -> EventContent? {
        var content = EventContent()
        if hasValue {
            content.milliunits = event.value?.milliunits
            content.currency = event.currency
        }
        let kept = (event.properties ?? [:]).filter { name, value in properties[name]?.accepts(value) ?? false }
        if !kept.isEmpty { content.properties = (try? WireCoding.encode(kept)).map { String(decoding: $0, as: UTF8.self) } }
        return content == EventContent() ? nil : content
    }
}
