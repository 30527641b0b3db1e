// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A backend reads, changes and removes one link over HTTP", .timeLimit(.minutes(1)))
struct OneLinkRouteTests {
    private static let path = "/v1/links/go.example/shop/a"

    private static func withLink(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await LinkRouteServer.run { server in
            let link = #"{"to":"example://a","suffix":"shop/a","campaign":"summer","channel":"mail","preview":{"title":"T","locales":{"ja":{"title":"題"}}}}"#
            _ = try await server.sendAsBackend(.post, "/v1/links", #"{"links":[\#(link)]}"#)
            try await body(server)
        }
    }

    private static func send(
        _ server: TestServer, _ method: HTTPRequest.Method, _ path: String = OneLinkRouteTests.path, _ body: String? = nil, ifMatch: String? = nil,
        key: String = LinkRouteServer.serverKey
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "Bearer \(key)"]
        headers[.ifMatch] = ifMatch
        return try await server.client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    @Test("A link is read with its tag, at every spelling of its path", arguments: [path, "/v1/links/GO.example/shop%2Fa", "/v1/links/go.example/shop/%61/"])
    func reading(path: String) async throws {
        try await Self.withLink { server in
            let answer = try await Self.send(server, .get, path)

            let document = try answer.decoded(LinkDocument.self)
            #expect(answer.status == .ok && document.url == "https://go.example/shop/a" && document.link.campaign == "summer")
            #expect(answer.headers[.eTag] == "\"\(document.etag)\"")
        }
    }

    @Test("A link of the file is read, and is neither changed nor removed")
    func ofFile() async throws {
        try await Self.withLink { server in
            let path = "/v1/links/go.example/beach"

            let read = try await Self.send(server, .get, path)
            #expect(try read.decoded(LinkDocument.self).isInFile)
            #expect(try await Self.send(server, .patch, path, #"{"campaign":"x"}"#, ifMatch: "*").problem?.code == .linkTaken)
            #expect(try await Self.send(server, .delete, path).problem?.code == .linkTaken)
        }
    }

    @Test("Where no link is, the answer is 404", arguments: ["/v1/links/go.example/nothing", "/v1/links/other.example/shop/a", "/v1/links/go.example/%FF"])
    func missing(path: String) async throws {
        try await Self.withLink { server in
            for method in [HTTPRequest.Method.get, .patch] {
                let answer = try await Self.send(server, method, path, method == .patch ? "{}" : nil, ifMatch: "*")
                #expect(answer.status == .notFound)
            }
        }
    }

    @Test("A change replaces the fields that it has, removes those that are null, and keeps the others")
    func change() async throws {
        try await Self.withLink { server in
            let read = try await Self.send(server, .get)
            let patch = #"{"campaign":"autumn","channel":null,"preview":{"description":"D"},"expiresAtMilliseconds":253402300799999}"#

            let answer = try await Self.send(server, .patch, Self.path, patch, ifMatch: read.headers[.eTag])

            let changed = try answer.decoded(LinkDocument.self)
            #expect(answer.status == .ok && answer.headers[.eTag] == "\"\(changed.etag)\"" && answer.headers[.eTag] != read.headers[.eTag])
            #expect(changed.link.campaign == "autumn" && changed.link.channel == nil && changed.link.to == "example://a")
            #expect(changed.link.preview == LinkPreview(title: "T", description: "D", locales: ["ja": .init(title: "題")]))
            #expect(changed.link.expiresAtMilliseconds == 253_402_300_799_999)
            let again = try await Self.send(server, .get)
            #expect(try again.decoded(LinkDocument.self).link == changed.link && again.headers[.eTag] == answer.headers[.eTag])
            #expect(try await server.actions().sorted() == ["link_changed", "link_made"])
        }
    }

    @Test("A time has two names, and one of them replaces or removes the other; an answer can be sent back")
    func times() async throws {
        try await Self.withLink { server in
            func change(_ patch: String) async throws -> NewLink {
                try await Self.send(server, .patch, Self.path, patch, ifMatch: "*").decoded(LinkDocument.self).link
            }
            #expect(try await change(#"{"expiresAt":"2099-06-01T00:00:00Z"}"#).expiresAtMilliseconds == 4_083_955_200_000)
            #expect(try await change(#"{"expiresAtMilliseconds":4083955200001}"#).expiresAtMilliseconds == 4_083_955_200_001)

            let whole = String(buffer: try await Self.send(server, .get).body)
            #expect(try await change(whole).expiresAtMilliseconds == 4_083_955_200_001)
            #expect(whole.contains(#""expiresAt":"2099-06-01T00:00:00.001Z""#))
            #expect(try await change(#"{"expiresAt":null}"#).expiresAtMilliseconds == nil)
        }
    }

    @Test("The same change again changes nothing, and has no line in the audit log")
    func same() async throws {
        try await Self.withLink { server in
            for _ in 0..<2 {
                let answer = try await Self.send(server, .patch, Self.path, #"{"campaign":"autumn"}"#, ifMatch: "*")
                #expect(answer.status == .ok)
            }

            #expect(try await server.actions().count { $0 == "link_changed" } == 1)
        }
    }

    @Test("A change says which state it is about: without it 428, with an older state 412")
    func states() async throws {
        try await Self.withLink { server in
            let old = try #require(try await Self.send(server, .get).headers[.eTag])
            _ = try await Self.send(server, .patch, Self.path, #"{"campaign":"autumn"}"#, ifMatch: old)

            let unsaid = try await Self.send(server, .patch, Self.path, #"{"campaign":"winter"}"#)
            let stale = try await Self.send(server, .patch, Self.path, #"{"campaign":"winter"}"#, ifMatch: old)
            let staleRemoval = try await Self.send(server, .delete, ifMatch: old)

            #expect(unsaid.status == .preconditionRequired && unsaid.problem?.code.rawValue == "precondition_required")
            for answer in [stale, staleRemoval] {
                #expect(answer.status == .preconditionFailed && answer.problem?.code.rawValue == "link_stale")
            }
            #expect(try await Self.send(server, .get).decoded(LinkDocument.self).link.campaign == "autumn")
        }
    }

    @Test(
        "A change that no new link could have is refused, and the link stays",
        arguments: [
            (#"{"to":"javascript:1"}"#, "invalid_link"), (#"{"to":null}"#, "invalid_value"), (#"{"to":7}"#, "invalid_value"), ("[]", "invalid_value"),
            (#"{"suffix":"b"}"#, "invalid_link"), (#"{"domain":"other.example"}"#, "invalid_link"), (#"{"to":"https://go.example/shop/a"}"#, "invalid_link"),
            (#"{"expiresAtMilliseconds":-1}"#, "invalid_link"), ("{", "malformed_json"), (#"{"expires":1}"#, "invalid_value"),
            (#"{"expiresAt":"soon"}"#, "invalid_link"), (#"{"expiresAt":"2027-06-01T00:00:00Z","expiresAtMilliseconds":1}"#, "invalid_link"),
        ] as [(String, String)])
    func refused(patch: String, code: String) async throws {
        try await Self.withLink { server in
            let before = try await Self.send(server, .get).headers[.eTag]

            let answer = try await Self.send(server, .patch, Self.path, patch, ifMatch: "*")

            #expect(answer.status == .badRequest && answer.problem?.code.rawValue == code)
            #expect(try await Self.send(server, .get).headers[.eTag] == before)
        }
    }

    @Test("A link that could not be made any more can be archived, and not taken up")
    func archiving() async throws {
        try await LinkRouteServer.run { server in
            let old = StoredLink(host: "gone.example", path: LinkPath(stored: "/a"), destination: "example://a")
            #expect(try await server.services.links.store.add([old], to: AppID("example"), nowMs: 1) == [true])
            let path = "/v1/links/gone.example/a"

            let archived = try await Self.send(server, .patch, path, #"{"expiresAtMilliseconds":1}"#, ifMatch: "*")
            let takenUp = try await Self.send(server, .patch, path, #"{"expiresAtMilliseconds":null}"#, ifMatch: "*")

            #expect(try archived.decoded(LinkDocument.self).state == .expired)
            #expect(takenUp.problem?.code == .invalidLink)
        }
    }

    @Test("A removed link is gone; removing it again without a state is not an error")
    func removal() async throws {
        try await Self.withLink { server in
            let tag = try await Self.send(server, .get).headers[.eTag]

            let first = try await Self.send(server, .delete, ifMatch: tag)
            let again = try await Self.send(server, .delete)
            let stale = try await Self.send(server, .delete, ifMatch: "*")

            #expect(try first.decoded(LinkCreationRoutes.Removed.self).removed)
            #expect(try !again.decoded(LinkCreationRoutes.Removed.self).removed)
            #expect(stale.status == .preconditionFailed)
            #expect(try await server.actions().sorted() == ["link_made", "link_removed"])
            #expect(try await Self.send(server, .get).status == .notFound)
        }
    }

    @Test("Without the right key nothing is told or changed, and other methods are named")
    func keys() async throws {
        try await Self.withLink { server in
            for method in [HTTPRequest.Method.get, .patch, .delete] {
                #expect(try await Self.send(server, method, key: "pk_test").status == .unauthorized)
            }
            let put = try await Self.send(server, .put, Self.path, "{}")
            #expect(put.status == .methodNotAllowed && put.headers[.allow] == "GET, PATCH, DELETE")
        }
    }

    @Test(
        "If-Match is a list of tags; weak tags match nothing",
        arguments: [
            ("*", true), ("\"a\"", true), ("a", true), ("\"b\", \"a\"", true), ("\"b\",\"a\"", true), (" \"a\"\t", true), ("W/\"a\"", false), ("\"b\"", false),
            ("", false), (",,", false), ("\"a", false),
        ] as [(String, Bool)])
    func tags(field: String, isMatch: Bool) { #expect(IfMatch(field: field).matches("a") == isMatch) }
}
