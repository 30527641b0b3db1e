// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A node with one experiment, whose versions the test publishes, and what its store has of it.
struct ExperimentServer: Sendable {
    let server: TestServer

    /// A placement `home` with the experiment for everyone, a placement `ads` with it for Apple Ads users, and `plain` without.
    static func yaml(
        _ weights: String = "A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default, remoteConfig: { en: { title: Half price } } }",
        state: String = "live", more: String = "", title: String = "Unlock"
    ) -> String {
        """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }]
        paywalls:
          default: { products: [yearly], defaultLocale: en, remoteConfig: { en: { title: \(title), button: Go }, de: { title: Los } } }
          special: { products: [monthly] }
        audiences:
          ads: { attribution.source: { is: apple_search_ads } }
        layers: { main: {} }
        experiments:
          spring-price:
            state: \(state)
            variations: { \(weights) }
        \(more.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        placements:
          home: [{ audience: everyone, experiment: spring-price }]
          ads: [{ audience: ads, experiment: spring-price }, { audience: everyone, paywall: special }]
          plain: [{ audience: everyone, paywall: special }]

        """
    }

    static func run(_ yaml: String = yaml(), faults: StoreFaults? = nil, _ body: @Sendable (ExperimentServer) async throws -> Void) async throws {
        try await TestServer.run(configuration: try Configuration(yaml: yaml), revision: 0, faults: faults) { server in
            let experiments = ExperimentServer(server: server)
            try await experiments.publish(yaml)
            try await body(experiments)
        }
    }

    /// Stores a version and serves it, as a start does.
    func publish(_ yaml: String) async throws {
        let configuration = try Configuration(yaml: yaml), store = ConfigurationStore(server.services.database)
        let publication = try await store.publishFile(
            yaml, as: configuration, isOwner: true, nowMs: server.services.time.nowMs())
        guard case .newest(let number) = publication else { return }
        _ = server.services.configuration.serve(try await store.snapshot(configuration, number))
    }

    func open(
        _ phone: Phone, device: String? = nil, placements: [String] = ["home"], rest: String = ""
    ) async throws -> [String: PaywallAnswer] {
        let device = device.map { #"{"deviceId":"\#($0)"}"# } ?? "{}"
        let wanted = placements.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let lines = try await server.firstOpen(
            #"{"device":\#(device),"adToken":{"none":"noToken"},"placements":[\#(wanted)]\#(rest)}"#, phone: phone)
        return lines.reduce(into: [:]) { answers, line in
            if case .paywall(let answer) = line { answers[answer.placement.rawValue] = answer }
        }
    }

    func paywall(
        _ phone: Phone, _ placement: String = "home", query: String = "", device: String? = nil
    ) async throws -> PaywallAnswer {
        let response = try await server.send(.get, "/v1/placements/\(placement)/paywall\(query)", phone: phone, device: device)
        #expect(response.status == .ok)
        return try response.decoded()
    }

    func event(
        _ type: Event.Kind, of assignment: Assignment?, id: Int, ageMs: Int64 = 0, placement: String = "home", origin: String? = nil
    ) -> Event {
        var event = Event(
            id: "0198f0c3-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - String(id).count) + String(id), type: type,
            ageMilliseconds: ageMs)
        event.assignment = assignment
        event.placement = PlacementID(placement)
        event.origin = origin
        return event
    }

    @discardableResult
    func send(_ events: [Event], from phone: Phone) async throws -> [EventBatchAnswer.Result] {
        let body = String(decoding: try WireCoding.encode(EventBatch(events: events)), as: UTF8.self)
        return try await server.send(.post, WirePath.events, body, phone: phone).decoded(EventBatchAnswer.self).results
    }

    struct Unit: Hashable {
        let unit: String
        let epoch: Int64
        let variation: String
        let bucket: Int64
        let step: String
        let decidedAtMs: Int64?
        let shownAtMs: Int64?
        let fallbackAtMs: Int64?
    }

    /// In the order of the units.
    func units() async throws -> [Unit] {
        try await server.services.database.read { connection in
            try connection.rows("SELECT * FROM experiment_unit ORDER BY app_id, unit, experiment").map { row in
                Unit(
                    unit: try row.text("unit"), epoch: try row.integer("epoch"), variation: try row.text("variation"),
                    bucket: try row.integer("bucket"), step: try row.text("step"), decidedAtMs: row.optionalInteger("decided_at_ms"),
                    shownAtMs: row.optionalInteger("shown_at_ms"), fallbackAtMs: row.optionalInteger("fallback_at_ms"))
            }
        }
    }

    func count(of table: String) async throws -> Int64 {
        try await server.services.database.read { try $0.row("SELECT COUNT(*) AS count FROM \(table)")?.integer("count") ?? -1 }
    }

    func epochs() async throws -> [String] {
        try await server.services.database.read { connection in
            try connection.rows("SELECT epoch, weights FROM experiment_epoch ORDER BY experiment, epoch").map {
                "\(try $0.integer("epoch")) \(try $0.text("weights"))"
            }
        }
    }

    /// Phones whose units are drawn into each variation of two equal ones, by the first epoch.
    static func phone(in variation: String, after number: Int = 0) -> Phone {
        for number in (number + 1)... {
            let phone = Phone(number, secret: UInt8(number % 250))
            let bucket = Draw(namespace: "experiment", salt: "spring-price#1", unit: phone.id).bucket
            if (bucket < 500_000) == (variation == "A") { return phone }
        }
        return Phone()
    }
}
