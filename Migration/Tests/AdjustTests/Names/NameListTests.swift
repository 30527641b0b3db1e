// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The list of Adjust's names", .timeLimit(.minutes(1)))
struct NameListTests {
    /// What Swift itself declares in a type that conforms.
    private static let conformances: Set<String> = [
        "ADJAttribution.hash", "ADJAttribution.init", "ADJAttribution.description", "ADJAttribution.supportsSecureCoding", "SkanNotHere.description",
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

        #expect(declared.all.subtracting(listed).subtracting(Self.conformances).sorted() == [])
    }

    @Test("Every name that is there is called by the apps' calls or a test")
    func called() throws {
        let folder = AdjustNames.package.appending(path: "Tests")
        let calls = try ["AdjustCallSites/First", "AdjustCallSites/Second", "AdjustTests"].flatMap {
            try DeclaredNames.files(in: folder.appending(path: $0))
        }
        .filter { !$0.path.contains("/Names/") }
        .map { try String(contentsOf: $0, encoding: .utf8) }
        let called = CalledNames(calls.joined(separator: "\n"))

        let uncalled = try AdjustNames.read().listed.filter { name, way in way != .absent && !called.contain(name) }

        #expect(uncalled.map(\.name) == [])
    }

    @Test("Every call with a completion has its async twin")
    func twins() throws {
        let sources = try ["Sources/Adjust", "Sources/AdjustSdk"].flatMap {
            try DeclaredNames.files(in: AdjustNames.package.appending(path: $0))
        }
        .map { try String(contentsOf: $0, encoding: .utf8) }
        let calls = sources.flatMap { $0.matches(of: /public static func ([A-Za-z]+)\(([^{]*)/) }
        // Landfall's own `opening` is not a completion.
        let completions = calls.filter { $0.2.contains("@MainActor (") && $0.1 != "start" }.map { String($0.1) }.sorted()
        let twins = calls.filter { $0.2.contains(") async") }.map { String($0.1) }.sorted()

        #expect(completions == twins)
        #expect(completions.count == 22)
    }

    @Test(
        "A name is called as a word of its own: a member of a value or a type, a delegate's method, or by its labels",
        arguments: [
            ("ADJEvent.revenue", "event.revenue", true), ("ADJEvent.revenue", "let revenue = 1", false),
            ("ADJEvent.revenue", "event.revenueOfAll", false), ("ADJEvent.revenue", "// event.revenue", false),
            ("AdjustDelegate.adjustSkanUpdated", "func adjustSkanUpdated(withConversionData", true),
            ("ADJEvent", "MyADJEvent()", false), ("ADJEvent", "ADJEvent(eventToken: a)", true),
            ("ADJConfig.init(appToken:environment:)", "ADJConfig(appToken: a, environment: b)", true),
            ("ADJConfig.init(appToken:environment:)", "ADJConfig(appToken: a, environment: b, suppressLogLevel: true)", false),
        ])
    func words(_ name: String, _ source: String, isThere: Bool) {
        #expect(CalledNames(source).contain(name) == isThere)
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
