// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import LandfallSimulator

@Suite("A JWS of the simulated App Store", .timeLimit(.minutes(1)))
struct JWSSignerTests {
    @Test("has three parts: a header of alg and x5c only, the payload, and a raw signature that the leaf's key confirms")
    func parts() throws {
        let chain = try SigningChain()
        let parts = try JWSSigner(chain).sign(Data(#"{"a":1}"#.utf8)).split(separator: ".").map(String.init)
        try #require(parts.count == 3)

        let header = try #require(try JSONSerialization.jsonObject(with: bytes(parts[0])) as? [String: Any])
        let signature = bytes(parts[2])
        let key = try #require(P256.Signing.PublicKey(try Certificate(derEncoded: chain.leaf).publicKey))

        #expect(header.keys.sorted() == ["alg", "x5c"])
        #expect(header["alg"] as? String == "ES256")
        #expect(header["x5c"] as? [String] == chain.certificates.map { Data($0).base64EncodedString() })
        #expect(String(decoding: bytes(parts[1]), as: UTF8.self) == #"{"a":1}"#)
        #expect(signature.count == 64)
        #expect(
            key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: Data("\(parts[0]).\(parts[1])".utf8))
        )
    }

    @Test("of one leaf all have the same header, byte for byte")
    func sameHeader() throws {
        let signer = try JWSSigner(SigningChain())

        let first = try signer.sign(["id": "1"])
        let second = try signer.sign(["id": "2"])

        #expect(first.hasPrefix(signer.header + "."))
        #expect(second.hasPrefix(signer.header + "."))
        #expect(first != second)
    }

    @Test("can claim another algorithm and carry other certificates")
    func otherClaims() throws {
        let chain = try SigningChain()
        let signer = JWSSigner(chain, algorithm: "none", certificates: [chain.leaf])

        let header = try #require(try JSONSerialization.jsonObject(with: bytes(signer.header)) as? [String: Any])

        #expect(header["alg"] as? String == "none")
        #expect((header["x5c"] as? [String])?.count == 1)
    }

    private func bytes(_ part: String) -> Data {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)) ?? Data()
    }
}
