// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// A change of some fields of a link (RFC 7396): `null` removes a field, and fields that the change does not have stay.
struct LinkPatch {
    private let fields: [String: JSONValue]

    init(fields: [String: JSONValue]) { self.fields = fields }

    /// - Throws: `invalid_value` if the body is not an object.
    init(_ body: JSONValue) throws {
        guard case .object(let fields) = body else {
            throw RequestError(.invalidValue, "The body is not a JSON object. Send the fields that change.")
        }
        self.fields = fields
    }

    /// Times have two names; the one that the change has replaces the other.
    private static let times = [("startsAt", "startsAtMilliseconds"), ("expiresAt", "expiresAtMilliseconds")]

    /// The link as the change wants it; nothing but its fields' names and types is checked.
    func applied(to link: StoredLink) throws -> NewLink {
        var now = try WireCoding.decode([String: JSONValue].self, from: WireCoding.encode(NewLink(link)))
        for (text, number) in Self.times where fields[text] != nil { now[number] = nil }
        // What an answer has besides the fields of a link may come back with it.
        var asked = fields.filter { LinkDocument.CodingKeys(rawValue: $0.key) == nil }
        for (text, number) in Self.times {
            guard case .string(let written)? = asked[text], case .integer(let milliseconds)? = asked[number] else { continue }
            if Instant(written)?.milliseconds == milliseconds { asked[text] = nil }
        }
        let changed = Self.merged(.object(now), .object(asked))
        var newLink = try KnownFields<NewLink>.decoded(from: WireCoding.encode(changed)).value
        newLink.readTimes()
        let suffix = newLink.suffix ?? ""
        guard newLink.domain?.lowercased() == link.host, (try? LinkPath(suffix.hasPrefix("/") ? suffix : "/" + suffix)) == link.path else {
            throw LinkRefusal.invalid("The address of a link stays: 'domain' and 'suffix' cannot change. Make a new link.")
        }
        return newLink
    }

    private static func merged(_ old: JSONValue, _ patch: JSONValue) -> JSONValue {
        guard case .object(let fields) = patch else { return patch }
        var members: [String: JSONValue] = [:]
        if case .object(let there) = old { members = there }
        for (name, value) in fields {
            members[name] = value == .null ? nil : merged(members[name] ?? .null, value)
        }
        return .object(members)
    }
}

extension NewLink {
    /// Writes times that are texts as numbers. A wrong text stays for the rules to refuse.
    fileprivate mutating func readTimes() {
        if startsAtMilliseconds == nil, let start = startsAt.flatMap({ Instant($0) }) {
            (startsAtMilliseconds, startsAt) = (start.milliseconds, nil)
        }
        if expiresAtMilliseconds == nil, let end = expiresAt.flatMap({ Instant($0) }) {
            (expiresAtMilliseconds, expiresAt) = (end.milliseconds, nil)
        }
    }
}
