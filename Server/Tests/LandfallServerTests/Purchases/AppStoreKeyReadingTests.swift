// SPDX-License-Identifier: Apache-2.0
import Crypto
import Testing

@testable import LandfallRules

@Suite("The key and the second receiver of landfall.yaml", .timeLimit(.minutes(1)))
struct AppStoreKeyReadingTests {
    private static let issuer = "69a6de70-03db-47e3-e053-5b8c7c11a4d1"
    private static let pem = P256.Signing.PrivateKey().pemRepresentation

    private static func file(_ rest: String) -> String { Sample.base + "purchases: { api: { \(rest) } }\n" }

    @Test("The key is that of a variable, also in one line", arguments: [false, true])
    func variable(isOneLine: Bool) throws {
        let text = isOneLine ? Self.pem.replacing("\n", with: #"\n"#) : Self.pem
        let yaml = Self.file("issuerId: \(Self.issuer.uppercased()), keyId: 2X9R4HXF34, privateKeyFrom: LANDFALL_STORE_KEY")
        let configuration = try Configuration(yaml: yaml, environment: { $0 == "LANDFALL_STORE_KEY" ? text : nil })

        let api = try #require(configuration.purchases.api)

        #expect(api.issuerID == Self.issuer && api.keyID == "2X9R4HXF34")
        #expect(try api.privateKey.key().pemRepresentation == Self.pem)
        #expect(!"\(api)".contains("PRIVATE") && !"\(api.privateKey)".contains("PRIVATE"))
    }

    @Test("The key of a file is read when it is used")
    func file() throws {
        let yaml = Self.file("issuerId: \(Self.issuer), keyId: K, privateKeyFile: nowhere.p8")
        let configuration = try Configuration(yaml: yaml, environment: { _ in nil })

        #expect(throws: UnusablePrivateKey.folder("nowhere.p8")) { try configuration.purchases.api?.privateKey.key() }
    }

    private static let mistaken: [(String, String)] = [
        ("issuerId: \(issuer), keyId: K", "needs either 'privateKeyFrom'"),
        ("issuerId: \(issuer), keyId: K, privateKeyFile: k, privateKeyFrom: LANDFALL_K", "needs either 'privateKeyFrom'"),
        ("issuerId: \(issuer), keyId: K, privateKeyFile: /etc/key.p8", "A file in the folder of --secrets"),
        ("issuerId: \(issuer), keyId: K, privateKeyFrom: LANDFALL_WRONG", "does not hold a P-256 key in PEM"),
        ("issuerId: \(issuer), keyId: K, privateKeyFrom: LANDFALL_UNSET", "is not set. Set it to the text of the private key's file"),
        ("issuerId: \(issuer), keyId: K, privateKeyFrom: PATH", "begin with 'LANDFALL_'"),
        ("issuerId: me, keyId: K, privateKeyFile: k", "Copy the Issuer ID"),
        ("issuerId: \(issuer), keyId: k-1, privateKeyFile: k", "Copy the Key ID"),
        ("keyId: K, privateKeyFile: k", "needs 'issuerId'. Add it."),
    ]

    @Test("A mistake is named with its remedy, and never with what is in a variable", arguments: mistaken)
    func mistakes(rest: String, sentence: String) {
        let problems = Sample.problems(Self.file(rest), environment: ["LANDFALL_WRONG": "hidden words", "LANDFALL_K": Self.pem, "PATH": Self.pem])

        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.contains(sentence) && !$0.contains("hidden") }, "\(problems)")
    }

    @Test(
        "A receiver is an https address, one on this machine, or one with the address that it is connected to",
        arguments: [
            ("https://hooks.example.com/apple?team=1", "https://hooks.example.com/apple?team=1", nil), ("https://10.0.0.7/hook", "https://10.0.0.7/hook", nil),
            ("http://127.0.0.1:8090/", "http://127.0.0.1:8090/", nil), ("'http://[::1]:8090/'", "http://[::1]:8090/", nil),
            ("{ url: https://relay.internal/hook, address: 10.0.0.7 }", "https://relay.internal/hook", "10.0.0.7"),
        ] as [(String, String, String?)])
    func receivers(value: String, url: String, address: String?) throws {
        let configuration = try Configuration(yaml: Sample.base + "purchases: { notify: \(value) }\n", environment: { _ in nil })

        #expect(configuration.purchases.notify?.url == url)
        #expect(configuration.purchases.notify?.address == address)
    }
}
