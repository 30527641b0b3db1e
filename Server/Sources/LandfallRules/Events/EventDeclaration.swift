// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The declaration of an own event: which of its values are kept.
package struct EventDeclaration: Hashable, Sendable {
    var hasValue = false
    /// By names that are ASCII.
    var properties: [String: AttributeType] = [:]
}

/// The values of an own event that are kept beside its type and time.
package struct EventContent: Hashable, Sendable {
    package var milliunits: Int64?
    package var currency: String?
    /// A JSON object, keys sorted.
    package var properties: String?
}

extension EventDeclaration {
    /// Undeclared values are left out; the rest of the event still counts.
    /// - Returns: nil if nothing is left.
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
