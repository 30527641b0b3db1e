// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The names of a configuration are compared by bytes", .timeLimit(.minutes(1)))
struct ExactNameTests {
    @Test("An SDK key that only looks like a configured one opens nothing")
    func sdkKeys() throws {
        let configuration = try Configuration(yaml: Sample.base.replacing("pk_sample", with: "pk_Kate"))
        let snapshot = Snapshot(configuration, revision: 1)

        #expect(snapshot.app(ofKey: "pk_Kate", nowMs: 0) == AppID("sample"))
        #expect(snapshot.app(ofKey: "pk_\u{212A}ate", nowMs: 0) == nil)
    }

    @Test("A reference that only looks like a name is unknown")
    func references() {
        let problems = Sample.problems(
            Sample.base.replacing("default: {", with: "Kate: {").replacing("paywall: default", with: "paywall: \u{212A}ate"))

        #expect(problems.count == 1)
        #expect(problems.first?.contains(": There is no paywall") == true)
    }

    @Test("A placement that only looks like a configured one is unknown")
    func placements() throws {
        let configuration = try Configuration(yaml: Sample.base.replacing("home:", with: "Kate:"))
        let snapshot = Snapshot(configuration, revision: 1)

        #expect(snapshot.defaultDecision(placement: PlacementID("Kate"), locale: nil) != nil)
        #expect(snapshot.defaultDecision(placement: PlacementID("\u{212A}ate"), locale: nil) == nil)
    }

    @Test("A domain has plain letters: a name that becomes plain only in lower case is refused")
    func domains() {
        #expect(Sample.problems(adding: "domains: { brand: [Go.\u{212A}ate.example] }\n").count == 1)
        #expect(Sample.problems(adding: "domains: { brand: [Go.Kate.example] }\n") == [])
    }

    @Test("A cached link does not answer for another one that Unicode calls equivalent")
    func rememberedLinks() {
        func question(_ target: String) -> LinkQuestion {
            LinkQuestion(host: "go.example", target: target, visitor: LinkVisitor(nil), isAhead: false)
        }
        func place(_ path: String) -> LinkPlace { LinkPlace(host: "go.example", path: LinkPath(stored: path)) }

        #expect(Set([question("/Kate"), question("/\u{212A}ate"), question("/Kate")]).count == 2)
        #expect(Set([place("/caf\u{E9}"), place("/cafe\u{301}")]).count == 2)
    }
}
