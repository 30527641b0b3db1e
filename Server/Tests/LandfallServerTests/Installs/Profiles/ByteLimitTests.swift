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

@Suite("One character of many bytes does not bypass a limit", .timeLimit(.minutes(1)))
struct ByteLimitTests {
    /// What people see as one character: 48,001 bytes.
    private static let grapheme = "e" + String(repeating: "\u{FE0F}", count: 16_000)

    @Test("It is refused as an attribute, a customer id and a campaign")
    func refused() async throws {
        try await TestServer.run { server in
            for (path, body) in [
                (WirePath.attributes, #"{"key":"a","attributes":{"plan":"\#(Self.grapheme)"}}"#),
                (WirePath.identify, #"{"key":"i","customerId":"\#(Self.grapheme)"}"#),
                (WirePath.attribution, #"{"key":"c","source":"tenjin","status":"organic","campaign":"\#(Self.grapheme)"}"#),
            ] {
                let answer = try await server.send(.post, path, body)

                #expect(answer.status == .badRequest, "\(path)")
                #expect(answer.body.readableBytes < 1_000, "\(path)")
            }
        }
    }

    @Test("A phone's values are cut, in bytes, and the phone gets its paywall")
    func device() async throws {
        let zone = "Z" + String(repeating: "\u{FE0F}", count: 40_000)
        let store = try await TestStore()
        var device = DeviceFacts()
        (device.timeZone, device.locale, device.deviceId) = (zone, zone, zone)

        let install = try await store.open(.mayasPhone, device: device)

        for text in [install.device.timeZone, install.device.locale, install.device.deviceId] {
            #expect((1...Limits.deviceText).contains(text?.utf8.count ?? 0))
        }
        #expect(try await store.open(.mayasPhone, device: device) == install)
    }

    @Test("The reason for a missing token has a limit")
    func reason() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen(#"{"adToken":{"none":"\#(Self.grapheme)"},"device":{}}"#)

            let install = try #require(
                try await server.services.installs.install(server.services.snapshot.app.id, InstallID(Phone().id)))
            #expect((install.tokenNone?.rawValue.utf8.count ?? .max) <= Limits.reason)
        }
    }

    @Test("It is refused as a label by HTTP and in landfall.yaml, and an import cuts it")
    func labels() async throws {
        try await LinkRouteServer.run { server in
            var newLink = NewLink(to: "https://example.com/a")
            newLink.campaign = Self.grapheme
            let outcome = try await LinkCreation(links: server.services.links, snapshot: server.services.snapshot).make([newLink], nowMs: 1)[0]

            #expect(outcome.refusal?.code == .invalidLink)
        }
        let problems = Sample.problems(
            adding: """
                domains: { brand: [go.example.com] }
                links: [{ url: https://go.example.com/a, to: "https://go.example.com/b", label: \(Self.grapheme) }]

                """)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("is longer than 200 bytes") == true)
    }

    @Test("The longest labels of a link make a redirect of less than 16 KiB")
    func location() async throws {
        let widest = String(repeating: "日", count: Limits.label / 3)
        try await LinkRouteServer.run { server in
            var newLink = NewLink(to: "https://example.com/" + String(repeating: "a", count: 2000))
            (newLink.campaign, newLink.adGroup, newLink.creative, newLink.label, newLink.channel) = (widest, widest, widest, widest, widest)
            newLink.suffix = "wide"
            let outcome = try await LinkCreation(links: server.services.links, snapshot: server.services.snapshot).make([newLink], nowMs: 1)[0]
            #expect(outcome.refusal == nil)

            for userAgent in [Browser.safari, Browser.windows] {
                let answer = try await Browser(userAgent: userAgent).send("/wide", host: "go.example", to: server)

                #expect((answer.headers[.location]?.utf8.count ?? 0) < 16_384)
            }
        }
    }

    @Test("Messages repeat at most a line of a text")
    func messages() {
        #expect(Self.grapheme.shortened.utf8.count < 100)
        #expect("short".shortened == "short")
    }
}
