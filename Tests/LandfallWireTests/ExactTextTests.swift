// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

/// Two texts that Unicode calls equivalent, and that are different bytes.
struct Equivalent: Sendable, CustomTestStringConvertible {
    let left: String
    let right: String
    var testDescription: String { "\(left) \(Array(left.utf8)) and \(Array(right.utf8))" }

    static let all = [
        Equivalent(left: "Kate", right: "\u{212A}ate"), Equivalent(left: "caf\u{E9}", right: "cafe\u{301}"),
        Equivalent(left: "a;b", right: "a\u{37E}b"), Equivalent(left: "\u{C5}sa", right: "\u{212B}sa"),
    ]
}

@Suite("Identifiers are compared by bytes", .timeLimit(.minutes(1)))
struct ExactTextTests {
    private func sameWhereverItIsCompared<ID: WireIdentifier>(_: ID.Type, _ pair: Equivalent) -> Bool {
        let left = ID(rawValue: pair.left), right = ID(rawValue: pair.right)
        return left == right || !(left != right) || Set([left, right]).count < 2 || [left: 1][right] != nil
            || Optional(left) == Optional(right) || [left].contains(right) || [[left]: 1][[right]] != nil
    }

    @Test("Ids of every kind differ if their bytes do, also as keys and in sets", arguments: Equivalent.all)
    func identifiers(pair: Equivalent) {
        #expect(pair.left == pair.right)  // The standard library treats them as equal.

        #expect(!sameWhereverItIsCompared(InstallID.self, pair))
        #expect(!sameWhereverItIsCompared(ProfileID.self, pair))
        #expect(!sameWhereverItIsCompared(PlacementID.self, pair))
        #expect(!sameWhereverItIsCompared(PaywallID.self, pair))
        #expect(!sameWhereverItIsCompared(VariationID.self, pair))
        #expect(!sameWhereverItIsCompared(AudienceID.self, pair))
        #expect(!sameWhereverItIsCompared(IdempotencyKey.self, pair))
        #expect(!sameWhereverItIsCompared(AttributionSource.self, pair))
        #expect(!sameWhereverItIsCompared(PathPattern.self, pair))
    }

    @Test("The same id is equal without a generic type as well", arguments: Equivalent.all)
    func concrete(pair: Equivalent) {
        let left = PlacementID(pair.left), right = PlacementID(pair.right)

        #expect((left == right) == false)
        #expect(left != right)
        #expect(left == PlacementID(pair.left))
        #expect((left != PlacementID(pair.left)) == false)
        #expect(left.hashValue == PlacementID(pair.left).hashValue)
    }

    @Test("Equal texts are equal in every storage form")
    func storage() {
        let long = String(repeating: "é", count: 40)
        let bridged = String(decoding: Array(long.utf8), as: UTF8.self)

        #expect(ExactText(long) == ExactText(bridged))
        #expect(ExactText(long).hashValue == ExactText(bridged).hashValue)
        #expect(ExactText(String(long.dropFirst())) != ExactText(long))
        #expect(ExactText("") == ExactText(""))
    }

    @Test("Links, their destinations, and the parts of both are compared by bytes too", arguments: Equivalent.all)
    func links(pair: Equivalent) throws {
        let left = Destination(path: [pair.left]), right = Destination(path: [pair.right])

        #expect(left != right)
        #expect(Set([left, right]).count == 2)
        #expect(LinkQueryItem("a", pair.left) != LinkQueryItem("a", pair.right))
        #expect(LinkQueryItem(pair.left) != LinkQueryItem(pair.right))
        #expect(Destination(path: [], fragment: pair.left) != Destination(path: [], fragment: pair.right))
        #expect(try LinkAddress("example://x/" + pair.left) != LinkAddress("example://x/" + pair.right))
    }

    @Test("A scheme that only looks like the app's own is a different scheme")
    func schemes() {
        let domains = LinkDomains(schemes: ["kate"])

        #expect(domains.isOwnScheme("Kate"))
        #expect(!domains.isOwnScheme("\u{212A}ate"))
    }
}
