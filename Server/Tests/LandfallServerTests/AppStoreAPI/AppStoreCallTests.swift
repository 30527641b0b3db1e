// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallPurchases
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Calls of the App Store Server API", .timeLimit(.minutes(1)))
struct AppStoreCallTests {
    private struct Header: Decodable { let alg, kid, typ: String }
    private struct Claims: Decodable {
        let iss, aud, bid: String
        let iat, exp: Int64
    }

    @Test("The token is a JWT of the key for this app, signed by ES256, for five minutes")
    func token() throws {
        let key = P256.Signing.PrivateKey()
        var configuration = Configuration.sample()
        configuration.purchases.api = .sample("KEY1234567", key)
        let access = try #require(try AppStoreAccess(Snapshot(configuration, revision: 1)))

        let parts = try access.token(nowMs: 1_790_000_000_999).split(separator: ".")
        let bytes = try parts.map { try #require(Self.bytes($0)) }
        let header = try WireCoding.decode(Header.self, from: bytes[0])
        let claims = try WireCoding.decode(Claims.self, from: bytes[1])
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes[2])

        #expect(parts.count == 3)
        #expect(header.alg == "ES256" && header.kid == "KEY1234567" && header.typ == "JWT")
        #expect(claims.iss == "00000000-0000-4000-8000-0000000000aa" && claims.aud == "appstoreconnect-v1" && claims.bid == "com.example.app")
        #expect(claims.iat == 1_789_999_970 && claims.exp == 1_790_000_270)
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    private static func bytes(_ part: Substring) -> Data? {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    @Test("No id and no token of others becomes a part of the path")
    func escaping() {
        #expect(AppStoreCall.history("../a?b/c", revision: "x&y=ü").path == "/inApps/v2/history/%2E%2E%2Fa%3Fb%2Fc?revision=x%26y%3D%C3%BC")
        #expect(AppStoreCall.statuses("2000000123").path == "/inApps/v1/subscriptions/2000000123")
    }

    @Test(
        "Calls are as far apart as Apple's limits want: 50, 10 and 1 a second, and in the sandbox a tenth of it",
        arguments: [
            (AppStoreCall.statuses("1"), AppStoreEnvironment.production, 20), (.refunds("1", revision: nil), .production, 100),
            (.requestTest, .production, 1_000), (.statuses("1"), .sandbox, 200), (.refunds("1", revision: nil), .sandbox, 1_000),
            (.requestTest, .sandbox, 10_000),
        ] as [(AppStoreCall, AppStoreEnvironment, Int64)])
    func spacing(call: AppStoreCall, environment: AppStoreEnvironment, spacingMs: Int64) throws {
        let pacing = AppStorePacing()

        let waits = try (0..<3).map { _ in try pacing.place(of: call, in: environment, nowMs: 1_000) }
        let later = try pacing.place(of: call, in: environment, nowMs: 1_000 + 10 * spacingMs)

        #expect(waits == [0, spacingMs, 2 * spacingMs])
        #expect(later == 0)
        // The other environment has places of its own.
        #expect(try pacing.place(of: call, in: environment == .production ? .sandbox : .production, nowMs: 1_000) == 0)
    }

    @Test(
        "Retry-After is an instant in milliseconds; anything else is a minute",
        arguments: [("1790000060000", 1_790_000_060_000), ("60", 1_790_000_060_001), (nil, 1_790_000_060_001), ("1890000000000", 1_790_000_060_001), ("soon", 1_790_000_060_001)]
            as [(String?, Int64)])
    func rest(text: String?, untilMs: Int64) {
        let pacing = AppStorePacing(), nowMs: Int64 = 1_790_000_000_001

        #expect(pacing.rest(.production, retryAfter: text, nowMs: nowMs) == untilMs)

        #expect(throws: AppStoreAPIError.limited(untilMs: untilMs)) { try pacing.place(of: .requestTest, in: .production, nowMs: untilMs - 1) }
        #expect(throws: Never.self) { try pacing.place(of: .requestTest, in: .production, nowMs: untilMs) }
        #expect(throws: Never.self) { try pacing.place(of: .requestTest, in: .sandbox, nowMs: nowMs) }
    }

    @Test(
        "Errors are told apart by what helps",
        arguments: [
            (401, nil, .unauthorized), (404, 4_040_010, .unknown(code: 4_040_010)), (404, 4_040_002, .passing("status 404, 4040002")),
            (500, 5_000_001, .passing("status 500, 5000001")), (503, nil, .passing("status 503")), (302, nil, .passing("status 302")),
            (400, 4_000_006, .refused(status: 400, code: 4_000_006)), (403, nil, .refused(status: 403, code: nil)), (429, 4_290_000, .limited(untilMs: 7)),
        ] as [(Int, Int?, AppStoreAPIError)])
    func errors(status: Int, code: Int?, error: AppStoreAPIError) {
        #expect(AppStoreAPIError(status: status, code: code, untilMs: 7) == error)
    }

    @Test("Another address than Apple's is https, or http to this machine", arguments: ["http://api.example.com", "ftp://127.0.0.1", "https://", "https://a.example/?q", "x"])
    func addresses(url: String) {
        #expect(throws: AppStoreAPIUnusable(url: url)) { try AppStoreAPIHosts(url: url) }
    }

    @Test("Without the option it is Apple's")
    func apple() throws {
        #expect(try AppStoreAPIHosts(url: nil) == .apple)
        #expect(AppStoreAPIHosts.apple[.production] == "https://api.storekit.apple.com")
        #expect(AppStoreAPIHosts.apple[.sandbox] == "https://api.storekit-sandbox.apple.com")
        #expect(try AppStoreAPIHosts(url: "http://127.0.0.1:8091/")[.sandbox] == "http://127.0.0.1:8091")
    }
}
