// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The access to Apple Ads in the file", .timeLimit(.minutes(1)))
struct AppleAdsAccessTests {
    private static let key = P256.Signing.PrivateKey()

    private static func bytes(_ part: Substring) -> Data? {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    /// - Parameter lines: of the section, beside the ids.
    private static func read(_ lines: String, secrets: SecretEnvironment) throws -> Configuration {
        let yaml = Sample.base + "\nappleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, \(lines) }\n"
        return try ReadConfiguration(yaml: yaml, secrets: secrets).requireConfiguration()
    }

    private static func variable(_ text: String) -> SecretEnvironment {
        SecretEnvironment(value: { $0 == "LANDFALL_APPLE_ADS_KEY" ? text : nil })
    }

    @Test("A key of a variable is read with its line breaks, and with \\n in place of them")
    func variables() throws {
        for pem in [Self.key.pemRepresentation, Self.key.pemRepresentation.replacing("\n", with: "\\n")] {
            let access = try #require(try Self.read("privateKeyFrom: LANDFALL_APPLE_ADS_KEY", secrets: Self.variable(pem)).appleAds)

            #expect(try access.privateKey.key().rawRepresentation == Self.key.rawRepresentation)
            #expect(access.accounts == nil)
        }
    }

    @Test("A variable without a key is a problem, and the message has nothing of its text")
    func noKey() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read("privateKeyFrom: LANDFALL_APPLE_ADS_KEY", secrets: Self.variable("hunter2"))
        }

        let text = try #require(error).description
        #expect(text.contains("The variable 'LANDFALL_APPLE_ADS_KEY' does not hold a P-256 key in PEM."))
        #expect(!text.contains("hunter2"))
    }

    @Test("Who has no secrets can still read and change the file")
    func withoutSecrets() throws {
        for secrets in [SecretEnvironment.withoutSecrets, SecretEnvironment(value: { ProcessEnvironment.anySecret(of: $0) })] {
            for lines in ["privateKeyFrom: LANDFALL_APPLE_ADS_KEY_OF_NOBODY", "privateKeyFile: key.pem"] {
                #expect(try Self.read(lines, secrets: secrets).appleAds?.keyID == "k")
            }
        }
    }

    @Test("The same ids are the same access, wherever the key is; another account is another one")
    func fingerprints() throws {
        let secrets = Self.variable(Self.key.pemRepresentation)
        func fingerprint(_ lines: String) throws -> String? { try Self.read(lines, secrets: secrets).appleAds?.fingerprint }
        let own = try fingerprint("privateKeyFrom: LANDFALL_APPLE_ADS_KEY")

        #expect(try own == fingerprint("privateKeyFile: key.pem, adAccounts: all"))
        #expect(try own != fingerprint("privateKeyFile: key.pem, adAccounts: [5]"))
    }

    @Test("Neither an access nor the place of its key prints a secret")
    func printing() throws {
        let access = try #require(
            try Self.read("privateKeyFrom: LANDFALL_APPLE_ADS_KEY", secrets: Self.variable(Self.key.pemRepresentation)).appleAds)

        for text in ["\(access)", "\(access.privateKey)", String(reflecting: access)] {
            #expect(!text.contains("PRIVATE") && !text.contains("SEARCHADS"))
        }
    }

    @Test("A client secret is signed for Apple, for minutes, and names the key")
    func clientSecret() throws {
        let access = try #require(
            try Self.read("privateKeyFrom: LANDFALL_APPLE_ADS_KEY", secrets: Self.variable(Self.key.pemRepresentation)).appleAds)
        let parts = try AppleAdsClientSecret.text(access, audience: "https://appleid.apple.com", nowMs: 1_790_000_000_000).split(separator: ".")

        let texts = try parts.map { try #require(Self.bytes($0)) }
        #expect(parts.count == 3)
        #expect(String(decoding: texts[0], as: UTF8.self) == #"{"alg":"ES256","kid":"k","typ":"JWT"}"#)
        #expect(
            String(decoding: texts[1], as: UTF8.self)
                == #"{"aud":"https://appleid.apple.com","exp":1790000300,"iat":1789999990,"iss":"SEARCHADS.b","sub":"SEARCHADS.a"}"#)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: texts[2])
        #expect(Self.key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("Apple is asked over https, or a simulated one on this machine", arguments: ["http://ads.example.com", "https://", "https://ads.example.com?x=1", "ftp://127.0.0.1", ""])
    func addresses(url: String) throws {
        #expect(throws: UnusableAppleAdsAddress(url: url)) { try AppleAdsAddresses(base: url) }
        #expect(try AppleAdsAddresses(base: "http://127.0.0.1:8090/").token == "http://127.0.0.1:8090/auth/oauth2/token")
    }
}
