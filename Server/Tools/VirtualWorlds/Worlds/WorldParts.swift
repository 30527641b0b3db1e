// SPDX-License-Identifier: Apache-2.0

/// What worlds have beside phones, networks, a server and Apple. Each part is in some of the worlds, as their seeds say; everything else
/// of a world stays as it is without the part.
package struct WorldParts: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// People tap links.
    package static let links = WorldParts(rawValue: 1 << 0)
    /// Apps set an attribute that decides a placement.
    package static let attributes = WorldParts(rawValue: 1 << 1)
    /// Two or three nodes serve one store.
    package static let nodes = WorldParts(rawValue: 1 << 2)
    /// The server's store is restored from an older copy.
    package static let restores = WorldParts(rawValue: 1 << 3)
    /// An endpoint of the team is told of facts.
    package static let webhooks = WorldParts(rawValue: 1 << 4)
    /// People buy subscriptions.
    package static let purchases = WorldParts(rawValue: 1 << 5)
    /// People tap links that have ended and links that others have wrapped, and type codes.
    package static let wrappedLinks = WorldParts(rawValue: 1 << 6)
    /// Apps change what the SDK may collect.
    package static let collection = WorldParts(rawValue: 1 << 7)

    /// Every part with its option on the command line.
    package static let named: [(option: String, part: WorldParts)] = [
        ("--links", .links), ("--attributes", .attributes), ("--nodes", .nodes), ("--restores", .restores), ("--webhooks", .webhooks),
        ("--purchases", .purchases), ("--wrapped-links", .wrappedLinks), ("--collection", .collection),
    ]

    package static let all = named.reduce(into: WorldParts()) { $0.insert($1.part) }

    /// As they are written on a command line.
    package var options: [String] { Self.named.filter { contains($0.part) }.map(\.option) }
}
