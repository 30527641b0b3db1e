// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallServer

@Suite("/v1/experiments", .timeLimit(.minutes(2)))
struct ExperimentRouteTests {
    static let key = "sk_" + String(repeating: "r", count: 32)
    static let weakKey = "sk_" + String(repeating: "w", count: 32)
    private static let secrets = SecretEnvironment(value: { name in
        ["LANDFALL_REPORTS_KEY": key, "LANDFALL_WEAK_KEY": weakKey][name]
    })

    /// The primary metric counts an own event of the app.
    private static let yaml =
        ExperimentServer.yaml(more: "primary: trial").replacing(
            "keys: [{ sdk: pk_test }]",
            with: "keys: [{ sdk: pk_test }, { serverFrom: LANDFALL_REPORTS_KEY, may: [reports] }, { serverFrom: LANDFALL_WEAK_KEY }]")
        + "events: { trial_started: {} }\nmetrics: { trial: { event: trial_started, windowDays: 14 } }\n"

    static func run(more: String = "", _ body: @Sendable (ExperimentServer) async throws -> Void) async throws {
        let yaml = Self.yaml + more
        let configuration = try Configuration(yaml: yaml, environment: secrets.value)
        try await TestServer.run(configuration: configuration, revision: 0, secrets: secrets) { server in
            let configuration = try Configuration(yaml: yaml, environment: secrets.value)
            let store = ConfigurationStore(server.services.database)
            let publication = try await store.publishFile(
                yaml, as: configuration, isOwner: true, nowMs: server.services.time.nowMs())
            guard case .newest(let number) = publication else {
                Issue.record("The version was not published.")
                return
            }
            _ = server.services.configuration.serve(try await store.snapshot(configuration, number))
            try await body(ExperimentServer(server: server))
        }
    }

    static func get(_ path: String, _ server: ExperimentServer, key: String? = ExperimentRouteTests.key) async throws -> TestResponse {
        try await server.server.send(.get, path, phone: nil, key: key)
    }

    /// What the phones were told, and what they told the server.
    struct Told: Sendable {
        var decided = ["A": 0, "B": 0]
        var shown = ["A": 0, "B": 0]
        var converted = ["A": 0, "B": 0]
        var variations: [String: String] = [:]
    }

    /// 40 phones. The ninth never shows the paywall, the tenth reports nothing, and the eleventh began its trial before it saw the paywall.
    static func launch(_ server: ExperimentServer) async throws -> Told {
        var told = Told()
        for number in 1...40 {
            let phone = Phone(number, secret: UInt8(number))
            let opened = try await server.open(phone)
            let assignment = try #require(opened["home"]?.assignment)
            let variation = assignment.variation.rawValue
            told.variations[phone.id] = variation
            guard number != 10 else { continue }

            var events = [server.event(.paywallDecided, of: assignment, id: 10 * number, ageMs: 100)]
            told.decided[variation, default: 0] += 1
            if number != 9 {
                events.append(server.event(.paywallShown, of: assignment, id: 10 * number + 1, ageMs: 90, origin: "matchingAudience"))
                told.shown[variation, default: 0] += 1
            }
            if number % 3 == 0 || number == 11 {
                var trial = server.event(
                    Event.Kind("trial_started"), of: nil, id: 10 * number + 2, ageMs: number == 11 ? 5_000 : 10)
                trial.placement = nil
                events.append(trial)
                if number != 9, number != 11 { told.converted[variation, default: 0] += 1 }
            }
            // The first six phones send everything a second time.
            for _ in 0..<(number < 7 ? 2 : 1) { try await server.send(events, from: phone) }
        }
        return told
    }

    @Test("answers with what the phones were told: units and conversions of each variation, in the list, the results and the units")
    func numbers() async throws {
        try await Self.run { server in
            let told = try await Self.launch(server)

            let answer = try await Self.get("/v1/experiments/spring-price/results", server)
            let results = try answer.decoded(JSONValue.self)

            #expect(answer.status == .ok)
            #expect(results["experiment"]?.string == "spring-price" && results["state"]?.string == "live")
            #expect(results["day"]?.integer == 1 && results["basis"]?.string == "shown")
            let variations = results["variations"]?.array ?? []
            #expect(variations.map { $0["variation"]?.string } == ["A", "B"])
            #expect(variations.map { $0["units"]?.integer } == [told.shown["A"], told.shown["B"]])
            #expect(variations.map { $0["conversions"]?.integer } == [told.converted["A"], told.converted["B"]])
            #expect(told.shown.values.reduce(0, +) == 38 && told.converted.values.reduce(0, +) == 12)
            let primary = results["comparisons"]?.array?.first
            #expect(primary?["metric"]?.string == "trial" && primary?["role"]?.string == "primary")
            #expect(primary?["variation"]?.string == "B" && primary?["control"]?.string == "A")
            #expect(results["health"]?["echoed"]?.integer == 0)

            let list = try await Self.get("/v1/experiments", server).decoded(ExperimentList.self).experiments
            #expect(list.map(\.experiment) == ["spring-price"] && list.first?.primary == "trial")
            #expect(list.first?.units == 38 && list.first?.variations == ["A", "B"] && list.first?.basis == "shown")
        }
    }

    @Test("gives the numbers that the results are computed from, and they give the same results again")
    func again() async throws {
        try await Self.run { server in
            _ = try await Self.launch(server)

            let results = try await Self.get("/v1/experiments/spring-price/results", server).decoded(JSONValue.self)
            let numbers = try await Self.get("/v1/experiments/spring-price/numbers", server)
            let read = try NumbersDocument(Array(String(buffer: numbers.body).utf8))
            let computed = try WireCoding.encode(try ResultsDocument(read.numbers))

            #expect(read.remarks.isEmpty)
            #expect(try WireCoding.decode(JSONValue.self, from: computed) == results)
        }
    }

    @Test("exports each unit with the variation that its phone was told, when it was exposed and what it did then")
    func units() async throws {
        try await Self.run { server in
            let told = try await Self.launch(server)

            let export = try await Self.get("/v1/experiments/spring-price/units", server).decoded(ExperimentExport.self)

            #expect(Dictionary(uniqueKeysWithValues: export.units.map { ($0.unit, $0.variation) }) == told.variations)
            #expect(export.basis == "shown" && export.next == nil)
            #expect(export.epochs.map(\.salt) == ["spring-price#1"])
            #expect(export.epochs.first?.weights.map(\.to) == [500_000, 1_000_000])
            let exposed = export.units.filter { $0.exposedAtMilliseconds != nil }
            #expect(exposed.count == 38)
            let converted = exposed.filter { $0.outcomes["trial"] != nil }
            for variation in ["A", "B"] {
                #expect(converted.count { $0.variation == variation } == told.converted[variation])
            }
        }
    }

    @Test(
        "has a note if events are deleted before the windows of the first units are over: of 30 days, the last 14 are a window",
        arguments: [15, 17] as [Int])
    func expiring(days: Int) async throws {
        try await Self.run(more: "retention: { eventDays: 30 }\n") { server in
            _ = try await Self.launch(server)
            server.server.clock.advance(by: .seconds(days * 86_400))

            let results = try await Self.get("/v1/experiments/spring-price/results", server).decoded(JSONValue.self)
            let page = try await ConsoleBrowser.signedIn(server.server, as: .viewer).get("/console/experiments/spring-price").page

            let notes = results["notes"]?.array?.compactMap(\.string) ?? []
            #expect(notes.count == (days > 16 ? 1 : 0) && notes.allSatisfy { $0.hasPrefix("Events are kept for 30 days.") })
            #expect(page.contains("Events are kept for 30 days.") == (days > 16))
        }
    }

    @Test("counts what an install did for its own variation, where it is known as a reinstall only after it had one; also in the units")
    func lateReinstall() async throws {
        let first = ExperimentServer.phone(in: "A"), again = ExperimentServer.phone(in: "B")
        try await Self.run { server in
            _ = try await server.open(first, device: "d")
            let assignment = try #require(try await server.open(again)["home"]?.assignment)
            try await server.send(
                [
                    server.event(.paywallDecided, of: assignment, id: 1, ageMs: 100),
                    server.event(.paywallShown, of: assignment, id: 2, ageMs: 90, origin: "matchingAudience"),
                ], from: again)
            _ = try await server.open(again, device: "d")
            var trial = server.event(Event.Kind("trial_started"), of: nil, id: 3, ageMs: 10)
            trial.placement = nil
            try await server.send([trial], from: again)

            let results = try await Self.get("/v1/experiments/spring-price/results", server).decoded(JSONValue.self)
            let export = try await Self.get("/v1/experiments/spring-price/units", server).decoded(ExperimentExport.self)

            let variations = results["variations"]?.array ?? []
            #expect(variations.map { $0["units"]?.integer ?? 0 } == [0, 1])
            #expect(variations.map { $0["conversions"]?.integer ?? 0 } == [0, 1])
            #expect(export.units.filter { $0.outcomes["trial"] != nil }.map(\.unit) == [again.id])
        }
    }

    @Test(
        "needs a server key with 'reports'",
        arguments: ["", "/spring-price/results", "/spring-price/numbers", "/spring-price/units", "/nothing/results"])
    func scope(rest: String) async throws {
        try await Self.run { server in
            let weak = try await Self.get("/v1/experiments" + rest, server, key: Self.weakKey)
            let sdk = try await Self.get("/v1/experiments" + rest, server, key: "pk_test")

            #expect(weak.status == .forbidden && weak.problem?.code == .scopeMissing)
            #expect(sdk.status == .unauthorized && sdk.problem?.code == .invalidKey)
        }
    }

    @Test("does not know an experiment of another name, and says which one may be meant", arguments: ["results", "numbers", "units"])
    func unknown(call: String) async throws {
        try await Self.run { server in
            let answer = try await Self.get("/v1/experiments/spring-prise/\(call)", server)

            #expect(answer.status == .notFound && answer.problem?.code == .notFound)
            #expect(answer.problem?.message.contains("'spring-prise'") == true)
        }
    }

    @Test("refuses an impossible basis and an impossible page", arguments: ["basis=seen", "after=" + String(repeating: "x", count: 2_000)])
    func refused(query: String) async throws {
        try await Self.run { server in
            let answer = try await Self.get("/v1/experiments/spring-price/units?\(query)", server)

            #expect(answer.status == .badRequest && answer.problem?.code == .invalidValue)
        }
    }
}
