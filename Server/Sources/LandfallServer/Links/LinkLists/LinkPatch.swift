// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// A change of some fields of a link (RFC 7396): `null` removes a field, and fields that the change does not have stay.
struct LinkPatch {
    private let fields: [String: JSONValue]

    /// - Throws: `invalid_value` if the body is not an object.
    init(_ body: JSONValue) throws {
        guard case .object(let fields) = body else {
            throw RequestError(.invalidValue, "The body is not a JSON object. Send the fields that change.")
        }
        self.fields = fields
    }

    /// The link as the change wants it; nothing but its fields' types is checked.
    func applied(to link: StoredLink) throws -> NewLink {
        let now = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(NewLink(link)))
        let changed = Self.merged(now, .object(fields))
        let newLink = try NewLink.decoded(from: WireCoding.encode(changed))
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
