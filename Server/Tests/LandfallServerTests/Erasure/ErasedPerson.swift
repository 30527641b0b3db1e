// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A person who has used every feature of an app, on two phones, with everything that identifies them.
struct ErasedPerson {
    static let app = AppID("example")
    /// Signs what they buy.
    static let appStore = Result {
        try SignedStore(nowMs: Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
    let name: String
    private let number: Int
    /// In the phone's own words.
    var campaign: String { "autumn for \(name)" }
    let phones: [Phone]
    var device: String { "device-of-\(name)" }
    var token: String { "token-of-\(name)" }

    init(_ name: String, _ first: Int) {
        self.name = name
        number = first
        phones = [Phone(first, secret: UInt8(first)), Phone(first + 1, secret: UInt8(first + 1))]
    }

    /// What may not be found any more, once they are erased.
    var traces: [String] {
        phones.flatMap { [$0.id, $0.credential.secretHash.hexadecimal, $0.secret] }
            + [name, token, TokenHash(of: token).rawValue, TokenHash(of: token + "-later").rawValue]
    }

    /// What they buy on a phone: in their first profile, and later as a customer.
    private func transactions(_ index: Int) -> (bought: String, later: String) {
        ("\(2_000_000_070_000 + number + index)", "\(2_000_000_080_000 + number + index)")
    }

    /// The same, as texts and inside of what Apple has signed. They outlive the person's installs, unless the person is erased.
    var purchases: [String] {
        phones.indices.flatMap { index in [transactions(index).bought, transactions(index).later] }
            .flatMap { [$0, Array($0.utf8).hexadecimal] }
    }

    /// Calls every route that writes.
    func live(on server: TestServer) async throws {
        for (index, phone) in phones.enumerated() {
            let body = """
                {"device":{"platform":"ios","locale":"en-US","appVersion":"1.2-\(name)","deviceId":"\(device)"},"attributes":{"called":"\(name)"},
                 "adToken":{"value":"\(token)"},"links":[{"key":"first","url":"https://brandname.go.link/beach","ageMilliseconds":4}]}
                """
            _ = try await server.firstOpen(body, phone: phone)
            // The later one with a token of the app's own.
            let appStore = try Self.appStore.get(), (bought, later) = transactions(index)
            _ = try await server.report([appStore.transaction(bought, of: bought)], key: "bought", by: phone)
            for (path, body) in [
                (WirePath.adToken, #"{"value":"\#(token)-later"}"#),
                (WirePath.attributes, #"{"key":"a","attributes":{"of":"\#(name)"}}"#),
                (WirePath.attribution, #"{"key":"c","source":"tenjin","status":"non_organic","campaign":"\#(campaign)"}"#),
                (WirePath.linkOpen, #"{"key":"o","url":"https://brandname.go.link/beach?lf_campaign=summer"}"#),
                (WirePath.events, events(1)),
                (WirePath.identify, #"{"key":"unproven","customerId":"\#(name)"}"#),
                (WirePath.logout, #"{"key":"out"}"#),
                (WirePath.events, events(2)),
            ] { #expect(try await server.send(.post, path, body, phone: phone).status == .ok, "\(path)") }
            let person = Identification(key: "proven", customerID: CustomerID(name), isVerified: true)
            _ = try await server.services.installs.identify(
                Self.app, phone.credential, person, nowMs: server.services.time.nowMs())
            let own = try appStore.transaction(later, of: later, adding: ["appAccountToken": token])
            _ = try await server.report([own], .purchase, key: "later", by: phone)
        }
        let nowMs = server.services.time.nowMs()
        let grant = AccessGrant(
            id: UUIDv7.make(nowMs: nowMs), level: AccessLevel(rawValue: "premium"), startsAtMs: nowMs, endsAtMs: nil,
            reason: "a gift for \(name)", by: "operator")
        let line = AuditLine(action: .accessGiven, member: "operator", subject: "premium, \(grant.id)", network: nil)
            .insertion(into: Self.app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        _ = try await AccessStore(server.services.database).add(
            grant, to: .customer(CustomerID(name)), in: Self.app, noting: line, nowMs: nowMs)
        // As a silence of days leaves it.
        try await server.services.database.write { [phone = phones[0]] connection in
            _ = try connection.run(
                "INSERT INTO absence (app_id, install_id, began_at_ms, ended_at_ms) VALUES ($1, $2, $3, $3)",
                [.text(Self.app.rawValue), .text(phone.id), .integer(server.services.time.nowMs())])
        }
        // As an experiment leaves it.
        try await server.services.database.write { [phone = phones[0]] connection in
            let assignment = UnitAssignment(
                unit: InstallID(phone.id), experiment: "spring-price", epoch: 1, variation: "A", bucket: 1, step: .drawn)
            try connection.run(assignment.insertion(in: Self.app, nowMs: server.services.time.nowMs()))
        }
        let code = name + String(repeating: "z", count: 22 - name.count)
        try await server.handOver(code, minutesAgo: 5, expiresInMs: 3_600_000)
        _ = try await server.send(.post, WirePath.deferredLink, #"{"token":"\#(code)"}"#, phone: phones[0])
    }

    /// Comes back a day later and sees a paywall of an experiment. Reports count that, and something waits to be counted.
    func comeBack(to server: TestServer) async throws {
        while try await server.services.rollups.step() {}
        // Nobody delivers them: what the person did until now waits as messages, and what follows as rows of its transactions.
        let webhooks = server.webhooks(by: WebhookReceivers())
        try await webhooks.fanOutAll(to: server.services.snapshot.configuration.webhooks)
        server.clock.advance(by: .seconds(86_400))
        let shown = #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-000003000000","type":"paywall_shown","ageMilliseconds":0,"placement":"home"}]}"#
        for phone in phones {
            _ = try await server.firstOpen("{}", phone: phone)
            for (path, body) in [(WirePath.attributes, #"{"key":"b","attributes":{"called":"\#(name)"}}"#), (WirePath.events, shown)] {
                #expect(try await server.send(.post, path, body, phone: phone).status == .ok, "\(path)")
            }
            #expect(try await server.send(.get, WirePath.paywall(of: "home"), phone: phone).status == .ok)
        }
        while try await server.services.rollups.step() {}
        for phone in phones { #expect(try await server.send(.post, WirePath.events, events(4), phone: phone).status == .ok) }
    }

    func events(_ number: Int, count: Int = 1) -> String {
        let events = (0..<count).map { index in
            #"{"id":"0198f0c2-7b1a-7c3d-8e4f-\#(String(format: "%06d%06d", number, index))","type":"signed_up","ageMilliseconds":0,"properties":{"as":"\#(name)"}}"#
        }
        return #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    func profile(on server: TestServer) async throws -> ProfileID {
        try await server.send(.get, WirePath.profile, phone: phones[0]).decoded(ProfileAnswer.self).profile.id
    }
}

extension TestServer {
    static let eraseKey = "sk_0123456789abcdef0123456789abcdef"

    /// - Parameter withExperiment: on a placement `home`, with an audience that reads what people are called.
    static func runErasing(withExperiment: Bool = false, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        if withExperiment {
            let other = try Configuration(
                yaml: ExperimentServer.yaml().replacing("spring-price", with: "summer-price")
                    .replacing("audiences:\n", with: "attributes: { called: string }\naudiences:\n  one: { attributes.called: { is: one } }\n")
                    .replacing("home: [", with: "home: [{ audience: one, paywall: special }, "))
            configuration.attributeTypes["called"] = .string
            configuration.experiments = other.experiments
            configuration.placements += other.placements
        }
        configuration.events[Event.Kind("signed_up")] = EventDeclaration(properties: ["as": .string])
        // Not of erasures: that message keeps a profile's id until it is delivered.
        configuration.webhooks = [.sample("a", WebhookType.allCases.filter { $0 != .profileErased })]
        configuration.serverKeys = [ServerKey(eraseKey, scopes: [.erase])!]
        try await run(configuration: configuration, trust: ErasedPerson.appStore.get().trust(), body)
    }

    func erase(_ order: String) async throws -> ErasureAnswer {
        let response = try await send(.post, ErasureRoutes.path, order, phone: nil, key: Self.eraseKey)
        #expect(response.status == .ok)
        return try response.decoded()
    }
}
