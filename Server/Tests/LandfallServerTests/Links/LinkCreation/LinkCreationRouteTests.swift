// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A backend makes links over HTTP", .timeLimit(.minutes(1)))
struct LinkCreationRouteTests {
    @Test("Each link of a call has its own result, and made links are served")
    func bulk() async throws {
        try await LinkRouteServer.run { server in
            let body = #"{"links":[{"to":"example://a","suffix":"a"},{"to":"javascript:1"},{"to":"example://b"}]}"#

            let response = try await server.sendAsBackend(.post, "/v1/links", body)
            let made = try response.decoded(LinkCreationRoutes.Made.self).links

            #expect(response.status == .ok)
            #expect(made.map(\.status) == ["made", "refused", "made"])
            #expect(made[0].url == "https://go.example/a")
            #expect(made[1].error?.code == .invalidLink)
            let stored = try await server.services.links.store.link(
                server.services.snapshot.app.id, host: "go.example", path: LinkPath(stored: "/a"))
            #expect(stored?.destination == "example://a")
            let line = try #require(try await server.audit.page(before: nil).first?.entry)
            #expect(line.action == "link_made" && line.subject == "https://go.example/a +1")
            #expect(line.member?.hasPrefix("key ") == true)
        }
    }

    @Test("A thousand links fit into one call, more than five thousand are refused")
    func limits() async throws {
        try await LinkRouteServer.run { server in
            func body(_ count: Int) -> String {
                #"{"links":["# + (0..<count).map { #"{"to":"example://\#($0)"}"# }.joined(separator: ",") + "]}"
            }

            let thousand = try await server.sendAsBackend(.post, "/v1/links", body(1000))
            let tooMany = try await server.sendAsBackend(.post, "/v1/links", body(5001))
            let none = try await server.sendAsBackend(.post, "/v1/links", body(0))

            let made = try thousand.decoded(LinkCreationRoutes.Made.self).links
            #expect(Set(made.compactMap(\.url)).count == 1000)
            #expect(tooMany.problem?.code == .invalidValue)
            #expect(none.problem?.code == .invalidValue)
        }
    }

    @Test(
        "A field that the call does not have is refused with the nearest name, and makes no link",
        arguments: [
            (#""expires":1"#, "'links[1].expires' is not a field of this call. Did you mean 'expiresAt' or 'expiresAtMilliseconds'?"),
            (#""campain":"a""#, "'links[1].campain' is not a field of this call. Did you mean 'campaign'?"),
            (#""when":[{"country":["DE"],"too":"example://b","to":"example://b"}]"#, "'links[1].when[0].too' is not a field of this call. Did you mean 'to'?"),
            (#""preview":{"titl":"a"}"#, "'links[1].preview.titl' is not a field of this call. Did you mean 'title'?"),
        ])
    func unknown(field: String, message: String) async throws {
        try await LinkRouteServer.run { server in
            let body = #"{"links":[{"to":"example://a"},{"to":"example://b",\#(field)}]}"#

            let response = try await server.sendAsBackend(.post, "/v1/links", body)

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == .invalidValue)
            #expect(response.problem?.message == message)
            let stored = try await server.services.links.store.links(server.services.snapshot.app.id, after: nil, limit: 10)
            #expect(stored.isEmpty)
        }
    }

    @Test("A removed link is gone, a second removal is not an error, and a link of the file is not removed")
    func removal() async throws {
        try await LinkRouteServer.run { server in
            _ = try await server.sendAsBackend(.post, "/v1/links", #"{"links":[{"to":"example://a","suffix":"a"}]}"#)

            let first = try await server.sendAsBackend(.delete, "/v1/links?url=https://go.example/a")
            let again = try await server.sendAsBackend(.delete, "/v1/links?url=https://go.example/a")
            let ofFile = try await server.sendAsBackend(.delete, "/v1/links?url=https://go.example/beach")
            #expect(try await server.actions().sorted() == ["link_made", "link_removed"])

            #expect(try first.decoded(LinkCreationRoutes.Removed.self).removed)
            #expect(try !again.decoded(LinkCreationRoutes.Removed.self).removed)
            #expect(ofFile.problem?.code == .linkTaken)
        }
    }

    @Test(
        "An SDK key, a wrong server key and no key are refused", arguments: ["pk_test", "sk_0000000000000000000000000000", nil])
    func keys(key: String?) async throws {
        try await LinkRouteServer.run { server in
            for method in [HTTPRequest.Method.get, .post, .delete] {
                let response = try await server.send(method, "/v1/links", method == .post ? "{}" : nil, phone: nil, key: key)

                #expect(response.status == .unauthorized)
                #expect(response.problem?.code == .invalidKey)
            }
        }
    }

    @Test("Other methods are refused with those that the path accepts")
    func methods() async throws {
        try await LinkRouteServer.run { server in
            let response = try await server.sendAsBackend(.put, "/v1/links", "{}")

            #expect(response.status == .methodNotAllowed)
            #expect(response.headers[.allow] == "GET, POST, PATCH, DELETE")
        }
    }
}
