// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// An own event as the configuration declares it: what of it is kept.
package struct EventDeclaration: Hashable, Sendable {
    var hasValue = false
    /// By names that are ASCII.
    var properties: [String: AttributeType] = [:]
}

/// What is kept of an own event beside its type and time.
package struct EventContent: Hashable, Sendable {
    package var milliunits: Int64?
    package var currency: String?
    /// A JSON object, keys sorted.
    package var properties: String?
}

extension EventDeclaration {
    /// What is not declared is left out: the rest of the event counts all the same.
    /// - Returns: nil where nothing is left.
    package func content(of event: Event) -> EventContent? {
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
