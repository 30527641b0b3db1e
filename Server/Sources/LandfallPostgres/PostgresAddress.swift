// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// Where a database is: a connection URL as libpq reads it, with two parameters of the driver's own.
package struct PostgresAddress: Hashable, Sendable {
    /// The URL without the driver's parameters. It may contain a password: never in a text for people.
    let url: String
    /// Hosts and database, for texts.
    package let name: String
    /// `prepare=off`: no prepared statements, for poolers that give each transaction another connection.
    let isPreparing: Bool
    /// `pool=N`: the most connections.
    let connections: Int
    /// Which of the hosts.
    var role = Role.primary

    /// As libpq names them.
    enum Role: String {
        /// Where the URL says nothing else.
        case primary
        /// Whatever the URL says.
        case standby, any
    }

    var hasSeveralHosts: Bool { url.contains(",") }

    func of(_ role: Role) -> PostgresAddress {
        var address = self
        address.role = role
        return address
    }

    /// - Throws: ``LandfallStore/DatabaseError/cannotConnect(server:reason:)`` if the text is no such URL.
    package init(_ text: String) throws(DatabaseError) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else {
            throw .cannotConnect(server: "?", reason: "the URL does not begin with 'postgres://'")
        }
        let user = text.lastIndex(of: "@").map { text[..<$0].dropFirst(scheme.count) } ?? ""
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1].split(separator: "&") : []
        let place = parts[0].dropFirst(scheme.count).split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // libpq repeats what it cannot read, and a part of a password may be in it.
        guard user.wholeMatch(of: /([A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*/) != nil,
            text.wholeMatch(of: /([^%\s]|%(?!00)[0-9A-Fa-f]{2})*/) != nil,
            query.allSatisfy({ $0.split(separator: "=", omittingEmptySubsequences: false).count == 2 }),
            place.prefix(while: { $0 != "/" }).split(separator: ",").allSatisfy({
                $0.wholeMatch(of: /(\[[^\[\]]*\]|[^:\[\]]*)(:[0-9]*)?/) != nil
            })
        else {
            throw .cannotConnect(
                server: "?",
                reason:
                    "the URL cannot be read; it is postgres://user:password@host:port/database?name=value, with special characters percent-encoded"
            )
        }
        name = String(place)
        var (rest, isPreparing, connections) = ([Substring](), true, 8)
        for item in query {
            if item.hasPrefix("prepare=") {
                guard ["prepare=on", "prepare=off"].contains(item) else {
                    throw .cannotConnect(server: name, reason: "'\(item)' is neither prepare=on nor prepare=off")
                }
                isPreparing = item == "prepare=on"
            } else if item.hasPrefix("pool=") {
                guard let number = Int(item.dropFirst(5)), 1...100 ~= number else {
                    throw .cannotConnect(server: name, reason: "'\(item)' is not pool=1 to pool=100")
                }
                connections = number
            } else {
                rest.append(item)
            }
        }
        url = String(parts[0]) + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
        (self.isPreparing, self.connections) = (isPreparing, connections)
    }
}
