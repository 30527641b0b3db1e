// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A string type for one kind of id, so that a different kind cannot be passed in its place. Compared byte by byte, see
/// ``ExactText``.
public protocol WireIdentifier: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension WireIdentifier {
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }

    public static func == (left: Self, right: Self) -> Bool { left.rawValue.hasSameBytes(as: right.rawValue) }

    /// Replaces the standard library's operator for every `RawRepresentable`, which treats texts that Unicode calls equivalent
    /// as equal.
    public static func != (left: Self, right: Self) -> Bool { !(left == right) }

    public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }
}

/// One installation of the app on one device; a UUIDv7 in lower case, made by the phone before its first request.
public struct InstallID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// A person as the team knows them: at first `i_` and the install's id; `s_` and another UUID for a profile that the server
/// made. It identifies a profile and gives no access to it.
public struct ProfileID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// A place in the app where a paywall is shown; 1…64 of `[A-Za-z0-9._-]`, unique in the app, never changed.
public struct PlacementID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Names one paywall of the configuration; what the SDK shows as `name`.
public struct PaywallID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Identifies what was shown: the paywall itself, or one arm of an experiment.
public struct VariationID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Names an audience of the configuration; `everyone` is the last audience of every placement.
public struct AudienceID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
    public static let everyone = AudienceID(rawValue: "everyone")
}

/// Makes a repeated call harmless: the server does the work once per key and profile. 1…64 visible ASCII characters.
public struct IdempotencyKey: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key for a call without one: such a call never repeats another.
    static func unrepeated() -> IdempotencyKey { IdempotencyKey(UUID().uuidString.lowercased()) }
}

/// A text that is compared byte by byte, for all identifiers.
///
/// `==` of `String` treats texts as equal that Unicode calls equivalent: the Kelvin sign in `\u{212A}ate` and the K of `Kate`,
/// or the two ways to write `é`. A database compares bytes, so the two comparisons would disagree about identities.
public struct ExactText: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public init(_ text: String) { self.text = text }

    public var description: String { text }

    public static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// True if both are the same bytes of UTF-8. Unicode's equivalence is ignored.
    public func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // In place where both are native, as nearly all are: two iterators took several times as long.
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in left.indices.allSatisfy { left[$0] == right[$0] } }
        }
        return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }

    /// A hash that is consistent with ``hasSameBytes(as:)``.
    public func hashBytes(into hasher: inout Hasher) {
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
        // Separates one text from the next: 0xFF does not occur in UTF-8.
        hasher.combine(0xFF as UInt8)
    }
}
