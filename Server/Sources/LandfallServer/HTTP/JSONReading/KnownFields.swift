// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// The fields of an object in a body.
package indirect enum KnownField: Sendable {
    case value
    case object([String: KnownField])
    case list([String: KnownField])
}

/// A body whose unknown fields are refused. Elsewhere they are ignored; here an ignored one would be a mistake that nobody sees.
package protocol NamesItsFields: Decodable {
    static var fields: [String: KnownField] { get }
}

/// Decodes a value.
/// - Throws: `DecodingError` with an ``UnknownField`` at the first field that the value does not have.
package struct KnownFields<Value: NamesItsFields>: Decodable {
    package let value: Value

    package init(from decoder: any Decoder) throws {
        try decoder.container(keyedBy: FieldName.self).refuse(besides: Value.fields)
        value = try Value(from: decoder)
    }
}

/// Why a field is refused.
struct UnknownField: Error {
    /// What the author probably meant; begins with a space, or is empty.
    let advice: String

    init(_ name: String, among known: some Sequence<String>) {
        let known = known.sorted()
        let near = Suggestion.nearest(to: name, among: known), other = near.map { $0 + "Milliseconds" }
        if let near, let other, known.contains(other) {
            advice = " Did you mean '\(near)' or '\(other)'?"
        } else {
            advice = Suggestion.sentence(for: name, among: known)
        }
    }
}

private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<FieldName> {
    /// A part of another kind than its field's is left to the decoder of the value.
    fileprivate func refuse(besides known: [String: KnownField]) throws {
        for key in allKeys {
            switch known[key.stringValue] {
            case .value?: break
            case .object(let own)?: try (try? nestedContainer(keyedBy: FieldName.self, forKey: key))?.refuse(besides: own)
            case .list(let own)?:
                guard var elements = try? nestedUnkeyedContainer(forKey: key) else { continue }
                while !elements.isAtEnd, let element = try? elements.nestedContainer(keyedBy: FieldName.self) {
                    try element.refuse(besides: own)
                }
            case nil:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: codingPath + [key], debugDescription: "unknown field",
                        underlyingError: UnknownField(key.stringValue, among: known.keys)))
            }
        }
    }
}
