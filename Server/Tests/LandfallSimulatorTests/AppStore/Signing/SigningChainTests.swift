// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftASN1
import Testing
import X509

@testable import LandfallSimulator

@Suite("A simulated signing chain", .timeLimit(.minutes(1)))
struct SigningChainTests {
    @Test("has Apple's curves, markers and depth, and each certificate is signed by the next one")
    func asApple() throws {
        let chain = try SigningChain()

        let leaf = try Certificate(derEncoded: chain.certificates[0])
        let intermediate = try Certificate(derEncoded: chain.certificates[1])
        let root = try Certificate(derEncoded: chain.certificates[2])

        #expect(leaf.extensions[oid: [1, 2, 840, 113635, 100, 6, 11, 1]] != nil)
        #expect(intermediate.extensions[oid: [1, 2, 840, 113635, 100, 6, 2, 1]] != nil)
        #expect(try intermediate.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(try leaf.extensions.basicConstraints == .notCertificateAuthority)
        #expect(leaf.signatureAlgorithm == .ecdsaWithSHA384)
        #expect(intermediate.publicKey.isValidSignature(leaf.signature, for: leaf))
        #expect(root.publicKey.isValidSignature(intermediate.signature, for: intermediate))
        #expect(root.publicKey.isValidSignature(root.signature, for: root))
        #expect(root.issuer == root.subject)
    }

    @Test("is what a forger would make: another root, no marker, another curve, other dates")
    func forged() throws {
        let root = try SigningAuthority()
        var order = CertificateOrder.leaf
        order.marker = nil
        order.curve = .p384
        order.notBefore = Date(timeIntervalSince1970: 1_600_000_000)
        order.notAfter = Date(timeIntervalSince1970: 1_700_000_000)

        let forged = try SigningChain(root: root, leaf: order)
        let other = try SigningChain()

        let leaf = try Certificate(derEncoded: forged.leaf)
        #expect(leaf.extensions[oid: [1, 2, 840, 113635, 100, 6, 11, 1]] == nil)
        #expect(leaf.notValidBefore == order.notBefore)
        #expect(leaf.notValidAfter == order.notAfter)
        #expect(other.root.der != root.der)
        #expect(forged.root.der == root.der)
    }

    @Test("gives its root as a file that other programs read")
    func pem() throws {
        let root = try SigningAuthority()

        let read = try Certificate(pemEncoded: root.pem)

        #expect(root.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(root.pem.hasSuffix("-----END CERTIFICATE-----\n"))
        #expect(read == (try Certificate(derEncoded: root.der)))
    }
}
