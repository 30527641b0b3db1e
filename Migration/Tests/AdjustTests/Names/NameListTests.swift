// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The list of Adjust's names", .timeLimit(.minutes(1)))
struct NameListTests {
    /// What Swift itself declares in a type that conforms.
    private static let conformances: Set<String> = [
        "ADJAttribution.hash", "ADJAttribution.description", "ADJAttribution.supportsSecureCoding", "SkanNotHere.description",
    ]

    @Test("Every listed name is declared; those absent on purpose are marked so, and no others")
    func declared() throws {
        let (names, declared) = (try AdjustNames.read(), try DeclaredNames.adjust())

        for (name, way) in names.listed {
            let bare = AdjustNames.bare(name)
            #expect(declared.all.contains(bare), "\(name) is listed, and not declared")
            if way == .absent { #expect(declared.unavailable.contains(bare), "\(name) is not marked unavailable") }
        }
        let absent = Set(names.listed.filter { $0.way == .absent }.map { AdjustNames.bare($0.name) })
        #expect(declared.unavailable == absent)
        #expect(names.ours.isSubset(of: declared.all))
    }

    @Test("Every public name is listed")
    func complete() throws {
        let (names, declared) = (try AdjustNames.read(), try DeclaredNames.adjust())
        let listed = Set(names.listed.map { AdjustNames.bare($0.name) }).union(names.ours)

        let missing = declared.all.subtracting(listed).subtracting(Self.conformances).filter { name in
            // A type's initialisers, and members that stand under another type of the list by the same name.
            !name.hasSuffix(".init")
                && !(name.contains(".") && listed.contains { $0.hasSuffix("." + name.split(separator: ".")[1]) })
        }
        #expect(missing.filter { !$0.hasPrefix("ADJLogLevel.") }.isEmpty, "\(missing.sorted())")
    }

    @Test("Every name that is there is called by the apps' calls or a test")
    func called() throws {
        let folder = AdjustNames.package.appending(path: "Tests")
        let calls = try ["AdjustCallSites/First", "AdjustCallSites/Second", "AdjustTests"].flatMap {
            try DeclaredNames.files(in: folder.appending(path: $0))
        }
        .filter { !$0.path.contains("/Names/") }
        .map { try String(contentsOf: $0, encoding: .utf8) }
        let words = Set(calls.joined().split { !$0.isLetter && !$0.isNumber && $0 != "_" })

        let uncalled = try AdjustNames.read().listed.filter { name, way in
            let last = AdjustNames.bare(name).split(separator: ".").last.map(String.init) ?? name
            let word = last == "init" ? "ADJConfig" : last
            return way != .absent && !words.contains(word[...])
        }

        #expect(uncalled.map(\.name) == [])
    }

    @Test("The page's figures are the list's")
    func figures() throws {
        let names = try AdjustNames.read()

        for way in AdjustNames.Way.allCases {
            let count = names.listed.filter { $0.way == way }.count
            #expect(names.figures[way] == count, "\(way.rawValue): \(count)")
        }
        #expect(Set(names.listed.map(\.name)).count == names.listed.count)
    }
}
