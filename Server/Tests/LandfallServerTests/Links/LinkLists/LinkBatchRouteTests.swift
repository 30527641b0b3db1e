// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A backend changes several links in one call", .timeLimit(.minutes(1)))
struct LinkBatchRouteTests {
    private static func changed(_ changes: String, _ server: TestServer) async throws -> [LinkBatchRoutes.Changed.Link] {
        try await server.sendAsBackend(.patch, "/v1/links", #"{"links":[\#(changes)]}"#).decoded(LinkBatchRoutes.Changed.self).links
    }

    private static func withLinks(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await LinkRouteServer.run { server in
            let links = ["a", "b", "c"].map { #"{"to":"example://\#($0)","suffix":"\#($0)","campaign":"summer"}"# }.joined(separator: ",")
            _ = try await server.sendAsBackend(.post, "/v1/links", #"{"links":[\#(links)]}"#)
            try await body(server)
        }
    }

    @Test("Each link has its own result, and a refused change does not affect the others")
    func results() async throws {
        try await Self.withLinks { server in
            let changes = """
                {"url":"https://go.example/a","campaign":"autumn"},{"url":"https://go.example/b","campaign":"summer"},
                {"url":"https://go.example/c","to":"javascript:1"},{"url":"https://go.example/nothing","campaign":"x"},
                {"url":"https://go.example/beach","campaign":"x"}
                """

            let results = try await Self.changed(changes, server)

            #expect(results.map(\.status) == ["changed", "unchanged", "refused", "refused", "refused"])
            #expect(results.map { $0.error?.code.rawValue } == [nil, nil, "invalid_link", "not_found", "link_taken"])
            #expect(results.map(\.url).first == "https://go.example/a" && results[2].error?.field == "to")
            let stored = try await server.services.links.store.links(server.services.snapshot.app.id, after: nil, limit: 10)
            #expect(stored.map(\.labels.campaign) == ["autumn", "summer", "summer"])
            #expect(try stored.prefix(2).map { try $0.mark() as String? } == results.prefix(2).map(\.etag))
            #expect(try await server.actions().count { $0 == "link_changed" } == 1)
        }
    }

    @Test("A state that is named has to be that of the link")
    func states() async throws {
        try await Self.withLinks { server in
            let etag = try #require(try await Self.changed(#"{"url":"https://go.example/a","campaign":"autumn"}"#, server).first?.etag)

            let changes = #"{"url":"https://go.example/a","etag":"\#(etag)","campaign":"winter"},{"url":"https://go.example/b","etag":"old","campaign":"winter"}"#
            let results = try await Self.changed(changes, server)

            #expect(results.map(\.status) == ["changed", "refused"] && results[1].error?.code.rawValue == "link_stale")
        }
    }

    @Test(
        "A call without links, with too many, with a link twice or without an address changes nothing",
        arguments: [
            "", #"{"url":"https://go.example/a","campaign":"x"},{"url":"https://go.example/a/","campaign":"y"}"#, #"{"campaign":"x"}"#,
            #"{"url":"https://go.example/a","campaign":"x"},{"url":7}"#,
            (0...100).map { #"{"url":"https://go.example/\#($0)","campaign":"x"}"# }.joined(separator: ","),
        ])
    func wrong(changes: String) async throws {
        try await Self.withLinks { server in
            let answer = try await server.sendAsBackend(.patch, "/v1/links", #"{"links":[\#(changes)]}"#)

            #expect(answer.status == .badRequest && answer.problem?.code == .invalidValue)
            #expect(try await !server.actions().contains("link_changed"))
        }
    }
}
