// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("A credential is an install id and the proof of its secret", .timeLimit(.minutes(1)))
struct CredentialTests {
    private static let id = "0199b0a0-1111-7222-8333-444455556666"
    private static let secret = Data(0..<32)
    private static let secretText = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test("A well-formed header gives the id and the secret's hash, never the secret")
    func valid() throws {
        let credential = try #require(Credential(header: "\(Self.id).\(Self.secretText)"))

        #expect(credential.installID == InstallID(Self.id))
        #expect(credential.secretHash == Array(SHA256.hash(data: Self.secret)))
    }

    @Test("All 64 characters of base64url are accepted")
    func alphabet() throws {
        let bytes = Data([0xFB, 0xEF, 0xBE] + [UInt8](repeating: 0xFF, count: 29))
        let text = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")

        #expect(Credential(header: "\(Self.id).\(text)")?.secretHash == Array(SHA256.hash(data: bytes)))
    }

    @Test(
        "Anything else is not a credential",
        arguments: [
            "", ".", id, "\(id).", ".\(secretText)", "\(id).\(secretText).", "\(id).\(secretText)=",
            "\(id).\(secretText.dropLast())",
            "\(id).\(secretText)A", "\(id.uppercased()).\(secretText)", "\(id.dropLast()).\(secretText)",
            "\(id.dropLast())g.\(secretText)",
            "\(id).+\(secretText.dropFirst())", "\(id).\(secretText.dropLast())ü", "\(id)\0.\(secretText)",
            "{\(id)}.\(secretText)", "i_\(id).\(secretText)", "s_\(id).\(secretText)",
        ])
    func invalid(header: String) {
        #expect(Credential(header: header) == nil)
    }

    @Test("Only the whole hash matches")
    func matching() {
        let credential = Credential.mayasPhone

        #expect(credential.matches(credential.secretHash))
        for position in 0..<32 {
            var other = credential.secretHash
            other[position] ^= 1
            #expect(!credential.matches(other))
        }
        #expect(!credential.matches([]))
        #expect(!credential.matches(credential.secretHash + [0]))
    }
}
