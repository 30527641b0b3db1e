// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Synchronization
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

/// A provider that answers what the test says: discovery, keys, and a token for every code.
final class ScriptedProvider: OutboundHTTP {
    static let issuer = "https://login.example.com"
    static let client = "landfall"

    struct Script {
        var issuer = ScriptedProvider.issuer
        var tokenAddress = ScriptedProvider.issuer + "/token"
        var key = P256.Signing.PrivateKey()
        var keyID = "k1"
        /// The keys that it shows; nil: the one that signs.
        var shown: [String: P256.Signing.PrivateKey]?
        var claims: [String: JSONValue] = [:]
        /// Without a value the claim is missing.
        var changes: [String: JSONValue?] = [:]
        /// Instead of a signed one.
        var token: String?
        var tokenStatus = 200
        var isAway = false
    }

    private let script = Mutex(Script())
    private let made = Mutex<[OutboundCall]>([])
    private let nonce = Mutex("")
    private let nowMs: @Sendable () -> Int64

    init(nowMs: @escaping @Sendable () -> Int64) { self.nowMs = nowMs }

    func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }
    func uses(nonce text: String) { nonce.withLock { $0 = text } }
    func calls(of path: String) -> [OutboundCall] { made.withLock { $0.filter { $0.url.hasSuffix(path) } } }

    /// Somebody with an address and groups.
    func signsIn(_ subject: String, _ email: String, groups: [String]? = nil, more: [String: JSONValue] = [:]) {
        change { script in
            script.claims = ["sub": .string(subject), "email": .string(email), "email_verified": .bool(true), "name": .string("Maya")]
            if let groups { script.claims["groups"] = .array(groups.map { .string($0) }) }
            script.claims.merge(more) { $1 }
        }
    }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        made.withLock { $0.append(call) }
        let script = script.withLock(\.self)
        if script.isAway { throw URLError(.cannotConnectToHost) }
        if call.url.hasSuffix("/.well-known/openid-configuration") {
            return try Self.json([
                "issuer": .string(script.issuer), "authorization_endpoint": .string(Self.issuer + "/authorize?tenant=1"),
                "token_endpoint": .string(script.tokenAddress), "jwks_uri": .string(Self.issuer + "/keys"),
            ])
        }
        if call.url.hasSuffix("/keys") {
            let keys = (script.shown ?? [script.keyID: script.key]).map { id, key in Self.jwk(key, id) }
            // Of a kind that nobody here knows.
            return try Self.json(["keys": .array([.object(["kty": .string("oct"), "k": .string("AA")])] + keys)])
        }
        guard script.tokenStatus == 200 else { return OutboundReply(status: script.tokenStatus, body: []) }
        return try Self.json(["id_token": .string(try script.token ?? token(script)), "access_token": .string("a")])
    }

    private func token(_ script: Script) throws -> String {
        let seconds = nowMs() / 1000
        var claims = script.claims
        claims.merge([
            "iss": .string(Self.issuer), "aud": .string(Self.client), "iat": .integer(seconds), "exp": .integer(seconds + 300),
            "nonce": .string(nonce.withLock(\.self)),
        ]) { first, _ in first }
        for (name, value) in script.changes { claims[name] = value }
        return try script.key.token(claims, keyID: script.keyID)
    }

    private static func jwk(_ key: P256.Signing.PrivateKey, _ id: String) -> JSONValue {
        let point = key.publicKey.rawRepresentation
        return .object([
            "kty": .string("EC"), "crv": .string("P-256"), "use": .string("sig"), "kid": .string(id),
            "x": .string(Data(point.prefix(32)).base64URL), "y": .string(Data(point.suffix(32)).base64URL),
        ])
    }

    private static func json(_ value: [String: JSONValue]) throws -> OutboundReply {
        OutboundReply(status: 200, body: Array(try WireCoding.encode(value)))
    }
}

/// A person with a browser, on the way to the provider and back.
final class ProviderVisitor {
    let server: TestServer
    let provider: ScriptedProvider
    /// The console's session.
    let browser: ConsoleBrowser
    var flow: String?
    private(set) var sent: [String: String] = [:]

    init(_ server: TestServer, _ provider: ScriptedProvider) {
        (self.server, self.provider, browser) = (server, provider, ConsoleBrowser(server))
    }

    /// Begins, and remembers what the provider is asked.
    @discardableResult
    func begin(_ path: String = "/console/sign-in/provider", next: String? = nil) async throws -> TestResponse {
        let answer = try await browser.get(path + (next.map { "?next=" + $0.percentEncoded } ?? ""))
        flow = answer.headers[values: .setCookie].first { $0.hasPrefix(OpenIDFlow.cookie + "=") }.map { String($0.prefix { $0 != ";" }) }
        let query = answer.headers[.location].flatMap { URLComponents(string: $0) }?.queryItems ?? []
        sent = Dictionary(query.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        provider.uses(nonce: sent["nonce"] ?? "")
        return answer
    }

    func finish(state: String? = nil, more: String = "") async throws -> TestResponse {
        let state = state ?? sent["state"] ?? ""
        var cookies = [flow, browser.cookie.map { "__Host-landfall=" + $0 }].compactMap(\.self)
        if cookies.isEmpty { cookies = ["other=1"] }
        let answer = try await server.client.execute(
            uri: "/console/sign-in/callback?code=abc&state=\(state)\(more)", method: .get, headers: [.cookie: cookies.joined(separator: "; ")])
        for set in answer.headers[values: .setCookie] where set.hasPrefix("__Host-landfall=") {
            browser.cookie = String(set.dropFirst("__Host-landfall=".count).prefix { $0 != ";" })
        }
        return answer
    }

    /// The whole way.
    func signIn(next: String? = nil) async throws -> TestResponse {
        try await begin(next: next)
        return try await finish()
    }

    static func run(
        _ change: @Sendable (inout SignInRules) -> Void = { _ in }, groups: GroupRules? = .sample,
        _ body: @Sendable (ProviderVisitor, ScriptedProvider) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let provider = ScriptedProvider { clock.nowMs }
        var configuration = Configuration.sample(), rules = SignInRules()
        rules.openID = OpenIDRules(
            issuer: ScriptedProvider.issuer, clientID: ScriptedProvider.client, secret: .text("s3cret/+"), domains: ["example.com"], groups: groups)
        change(&rules)
        configuration.signIn = rules
        try await TestServer.run(configuration: configuration, clock: clock, outbound: provider) { server in
            try await body(ProviderVisitor(server, provider), provider)
        }
    }

    func role(of email: String = "maya@example.com") async throws -> Role? {
        let address = try #require(MemberEmail(email))
        return try await server.members.member(email: address)?.role
    }
}

extension GroupRules {
    static let sample = GroupRules(roles: ["owners": .owner, "editors": .editor, "everyone": .viewer])
}
