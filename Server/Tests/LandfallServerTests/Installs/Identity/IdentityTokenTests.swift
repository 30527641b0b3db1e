// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JWTKit
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Identity tokens", .timeLimit(.minutes(1)))
struct IdentityTokenTests {
    private static let now: Double = 1_790_000_000
    private static let secret = "an-example-secret-of-32-bytes-ok"
    private static let p256 = ES256PrivateKey()

    private func tokens(_ keys: String = "[{ algorithm: HS256, secretFrom: LANDFALL_SECRET }]") throws -> IdentityTokens {
        let configuration = try Sample.configuration(
            "identity:\n  keys: \(keys)\n", environment: ["LANDFALL_SECRET": Self.secret])
        return Snapshot(configuration, revision: 1).identityTokens
    }

    private func verdict(
        _ token: String, by tokens: IdentityTokens, customer: String = "customer-7", nowMs: Int64 = Int64(now) * 1000
    ) async -> IdentityTokenRefusal? {
        do {
            try await tokens.verify(token, customerID: CustomerID(customer), nowMs: nowMs)
            return nil
        } catch {
            return error
        }
    }

    /// Signed with the backend's secret, by default as a right one.
    private func token(_ change: (inout SampleClaims) -> Void = { _ in }) async throws -> String {
        var claims = SampleClaims(now: Self.now)
        change(&claims)
        return try await JWTKeyCollection().add(hmac: HMACKey(from: Self.secret), digestAlgorithm: .sha256).sign(claims)
    }

    @Test("of the backend prove who the customer is")
    func right() async throws {
        #expect(try await verdict(token(), by: tokens()) == nil)
        #expect(try await verdict(token { $0.aud = ["other", "com.example.sample"] }, by: tokens()) == nil)
    }

    static let wrong: [(what: String, change: @Sendable (inout SampleClaims) -> Void, refusal: IdentityTokenRefusal)] = [
        ("another app", { $0.aud = ["com.example.other"] }, .audience),
        ("another customer", { $0.sub = "customer-8" }, .subject),
        ("expired", { $0.exp = now }, .expired),
        ("too long", { $0.exp = $0.iat + 601 }, .lifetime),
        (
            "no time at all",
            {
                $0.iat = now + 30; $0.exp = now + 30
            }, .lifetime
        ),
        (
            "from the future",
            {
                $0.iat = now + 61; $0.exp = now + 120
            }, .notYetValid
        ),
        ("not yet valid", { $0.nbf = now + 61 }, .notYetValid),
        ("never ending", { $0.exp = .greatestFiniteMagnitude }, .lifetime),
    ]

    @Test("with other claims are refused", arguments: wrong.indices)
    func refused(index: Int) async throws {
        let wrong = Self.wrong[index]

        let refusal = try await verdict(token(wrong.change), by: tokens())

        #expect(refusal == wrong.refusal, "\(wrong.what)")
        #expect(refusal?.code == .invalidIdentityToken)
    }

    @Test("are valid for their own time, by the server's clock")
    func clock() async throws {
        let token = try await token {
            $0.iat = Self.now - 540; $0.exp = Self.now + 60
        }

        #expect(try await verdict(token, by: tokens(), nowMs: Int64(Self.now + 60) * 1000 - 1) == nil)
        #expect(try await verdict(token, by: tokens(), nowMs: Int64(Self.now + 60) * 1000) == .expired)
    }

    @Test("are verified with each algorithm")
    func algorithms() async throws {
        let rsa = try SampleRSAKey.load()
        let tokens = try tokens(
            """

                - algorithm: ES256
                  id: p256
                  publicKey: |
            \(indented(Self.p256.publicKey.pemRepresentation))
                - algorithm: RS256
                  publicKey: |
            \(indented(rsa.publicKey.pemRepresentation))
            """)
        let claims = SampleClaims(now: Self.now)
        let es256 = try await JWTKeyCollection().add(ecdsa: Self.p256).sign(claims, header: ["kid": "p256"])
        let foreignID = try await JWTKeyCollection().add(ecdsa: Self.p256).sign(claims, header: ["kid": "other"])
        let rs256 = try await JWTKeyCollection().add(rsa: rsa, digestAlgorithm: .sha256).sign(claims)

        #expect(await verdict(es256, by: tokens) == nil)
        #expect(await verdict(rs256, by: tokens) == nil)
        #expect(await verdict(foreignID, by: tokens) == .algorithm)
        #expect(try await verdict(token(), by: tokens) == .algorithm)
    }

    @Test("with a wrong key, no signature or a copied one are refused")
    func forged() async throws {
        let claims = SampleClaims(now: Self.now)
        let foreign = try await JWTKeyCollection()
            .add(hmac: HMACKey(from: "another-secret-with-32-bytes-too"), digestAlgorithm: .sha256).sign(claims)
        let strong = try await JWTKeyCollection().add(hmac: HMACKey(from: Self.secret + Self.secret), digestAlgorithm: .sha512)
            .sign(claims)
        let none = try await JWTKeyCollection().addUnsecuredNone().sign(claims)
        let parts = try await token().split(separator: ".").map(String.init)
        let other = try await token { $0.sub = "customer-8" }.split(separator: ".").map(String.init)

        #expect(try await verdict(foreign, by: tokens()) == .signature)
        #expect(try await verdict(strong, by: tokens()) == .algorithm)
        #expect(try await verdict(none, by: tokens()) == .algorithm)
        #expect(try await verdict("\(parts[0]).\(parts[1]).", by: tokens()) == .signature)
        #expect(try await verdict("\(parts[0]).\(parts[1]).\(other[2])", by: tokens()) == .signature)
    }

    @Test("for an id that only looks the same prove nothing", arguments: ["\u{212A}ate", "cafe\u{301}"])
    func lookalike(sub: String) async throws {
        let customer = sub == "\u{212A}ate" ? "Kate" : "caf\u{E9}"
        let token = try await token { $0.sub = sub }

        #expect(try await verdict(token, by: tokens(), customer: customer) == .subject)
        #expect(try await verdict(token, by: tokens(), customer: sub) == nil)
    }

    @Test("are checked with the key whose id has the same bytes")
    func keyIDs() async throws {
        let tokens = try tokens("[{ id: Kate, algorithm: HS256, secretFrom: LANDFALL_SECRET }]")
        func signed(_ kid: JWKIdentifier) async throws -> String {
            try await JWTKeyCollection().add(hmac: HMACKey(from: Self.secret), digestAlgorithm: .sha256, kid: kid)
                .sign(SampleClaims(now: Self.now), kid: kid)
        }

        #expect(try await verdict(signed("Kate"), by: tokens) == nil)
        #expect(try await verdict(signed("\u{212A}ate"), by: tokens) == .algorithm)
    }

    @Test(
        "with any critical extension are refused",
        arguments: [#"["b64"]"#, #"["exp"]"#, "[]", "null", #""b64""#])
    func critical(value: String) async throws {
        let claims = try await token().split(separator: ".")[1]
        let header = Data(#"{"alg":"HS256","typ":"JWT","b64":true,"crit":\#(value)}"#.utf8).base64URL
        let signed = "\(header).\(claims)"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Data(Self.secret.utf8)))

        #expect(try await verdict("\(signed).\(Data(code).base64URL)", by: tokens()) == .critical)
    }

    @Test(
        "with a number in the header are refused: the JWT library would crash on some",
        arguments: [
            #"{"alg":"HS256","x":1e300}"#, #"{"alg":"HS256","x":-1e300}"#, #"{"alg":"HS256","x":[{"y":1E300}]}"#,
            #"{"alg":"HS256","a\"b":9223372036854775808}"#, #"{"alg":"HS256","kid":1}"#,
        ])
    func numbers(header: String) async throws {
        let claims = try await token().split(separator: ".")[1]

        #expect(try await verdict("\(Data(header.utf8).base64URL).\(claims).AAAA", by: tokens()) == .malformed)
    }

    @Test("with a claim that is not JSON are refused, also if no rule reads it", arguments: ["01", #""\x""#, "\"\t\"", "[1,]"])
    func claims(value: String) async throws {
        let signed = [#"{"alg":"HS256"}"#, #"{"sub":"customer-7","aud":"com.example.sample","iat":\#(Self.now),"exp":\#(Self.now + 60),"later":\#(value)}"#]
            .map { Data($0.utf8).base64URL }.joined(separator: ".")
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Data(Self.secret.utf8)))

        #expect(try await verdict("\(signed).\(Data(code).base64URL)", by: tokens()) == .malformed)
    }

    @Test("signed by hand without one are accepted")
    func byHand() async throws {
        let claims = try await token().split(separator: ".")[1]
        let signed = "\(Data(#"{"alg":"HS256","typ":"JWT","kid":"2026 \"1\""}"#.utf8).base64URL).\(claims)"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Data(Self.secret.utf8)))

        #expect(try await verdict("\(signed).\(Data(code).base64URL)", by: tokens()) == nil)
    }

    /// The classic confusion: the public key, which everybody knows, used as an HMAC secret.
    @Test("signed with the public key as a secret are refused")
    func confusion() async throws {
        let pem = Self.p256.publicKey.pemRepresentation
        let tokens = try tokens(
            """

                - algorithm: ES256
                  publicKey: |
            \(indented(pem))
            """)
        let forged = try await JWTKeyCollection().add(hmac: HMACKey(from: pem), digestAlgorithm: .sha256).sign(
            SampleClaims(now: Self.now))

        #expect(await verdict(forged, by: tokens) == .algorithm)
    }

    @Test(
        "with another form are refused",
        arguments: [
            "", ".", "..", "a.b.c", "e30.e30.e30", String(repeating: "a.", count: 100_000), "\u{0}.\u{0}.\u{0}", "日本.語.x",
        ])
    func malformed(token: String) async throws {
        #expect(try await verdict(token, by: tokens()) == .malformed)
    }

    @Test("are refused if no key is configured")
    func noKeys() async throws {
        let tokens = Snapshot(try Sample.configuration(), revision: 1).identityTokens

        #expect(try await verdict(token(), by: tokens) == .noKeys)
    }

    private func indented(_ pem: String) -> String {
        pem.split(separator: "\n").map { "          " + $0 }.joined(separator: "\n")
    }
}

/// What a backend would put into a token.
struct SampleClaims: JWTPayload {
    var sub = "customer-7"
    var aud = ["com.example.sample"]
    var iat: Double
    var exp: Double
    var nbf: Double?

    init(now: Double) {
        iat = now
        exp = now + 600
    }

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
