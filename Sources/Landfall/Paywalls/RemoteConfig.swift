// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// JSON that the team wrote for one paywall and locale.
public struct RemoteConfig: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The locale that was found: the exact one, else the language, else the paywall's default.
    public let locale: String
    public let value: JSONValue

    public init(locale: String, value: JSONValue) {
        self.locale = locale
        self.value = value
    }

    /// Nested literals: `["title": "Hello", "days": 7]`; the locale is `en`. For previews and tests.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(locale: "en", value: .object(Dictionary(members) { $1 }))
    }

    init(_ wire: WirePaywall.RemoteConfig) { self.init(locale: wire.locale, value: wire.value) }

    /// Compact JSON, keys sorted.
    public var jsonString: String {
        // A JSONValue always encodes: it contains only numbers that JSON has, because it was decoded from JSON.
        (try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// The members of the object; nil if the team wrote another kind of value.
    public var dictionary: [String: JSONValue]? { value.object }

    /// One value by its name: `config["title"]?.string`, `config["plans"]?[0]?["price"]?.double`. nil if there is none.
    public subscript(name: String) -> JSONValue? { value[name] }

    /// The values as a type of the app.
    /// ```swift
    /// struct Offer: Decodable { var title: String; var trialDays: Int? }
    /// let offer = try paywall.remoteConfig?.decode(as: Offer.self)
    /// ```
    /// - Parameters:
    ///   - type: the app's type.
    ///   - decoder: decides how dates and names are read; default: Foundation's defaults.
    public func decode<Value: Decodable>(
        as type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) throws(RemoteConfigError) -> Value {
        do {
            return try decoder.decode(type, from: Data(jsonString.utf8))
        } catch {
            throw RemoteConfigError(error, of: type, locale: locale)
        }
    }
}

/// Remote config does not fit the app's type.
public struct RemoteConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the mismatch is, for example `plans.0.price`; empty for the whole value.
    public let path: String
    /// The locale whose values were read.
    public let locale: String
    private let detail: String

    init(_ error: any Error, of type: Any.Type, locale: String) {
        var keys: [any CodingKey] = []
        var what = "\(error)"
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): (keys, what) = (context.codingPath + [key], "is missing")
        case .valueNotFound(let type, let context): (keys, what) = (context.codingPath, "is null, not \(type)")
        case .typeMismatch(let type, let context): (keys, what) = (context.codingPath, "is not of the type \(type)")
        case .dataCorrupted(let context): (keys, what) = (context.codingPath, "cannot be read: \(context.debugDescription)")
        default: break
        }
        self.path = keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
        self.locale = locale
        self.detail = "\(path.isEmpty ? "The value" : "'\(path)'") \(what)"
    }

    public var description: String {
        "The remote config for '\(locale)' does not fit: \(detail). Correct it in landfall.yaml, or let the app's type allow it."
    }
}
