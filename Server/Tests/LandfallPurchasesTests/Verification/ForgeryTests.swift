// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import LandfallWire
import Testing

@testable import LandfallPurchases

/// A way to make a text that nobody at Apple signed.
enum Forgery: String, CaseIterable, Sendable {
    case otherRoot, otherRootSent, applePayLeaf, unmarkedIntermediate, leafOfRoot, p384Leaf, p384LeafShortSignature
    case none, hs256, es384, twoCertificates, fourCertificates, oneCertificate, noCertificates, doubledLeaf, doubledIntermediate
    case certificateOfLetters, notYetValid, expired, expiredIntermediate, future, noSignedDate
    case otherPayload, otherSignature, shortSignature, emptySignature, twoSegments, fourSegments, empty, padded, standardBase64,
        looseBits
    case huge, deep, headerOfList, payloadOfText, trailingText

    var expected: AppStoreRefusal {
        switch self {
        case .otherRoot, .otherRootSent: .forged(.untrustedChain)
        case .applePayLeaf, .doubledIntermediate: .forged(.unmarkedCertificate(index: 0))
        case .unmarkedIntermediate, .leafOfRoot, .doubledLeaf: .forged(.unmarkedCertificate(index: 1))
        case .p384Leaf: .forged(.signature)
        case .p384LeafShortSignature: .forged(.leafKey)
        case .none: .forged(.algorithm("none"))
        case .hs256: .forged(.algorithm("HS256"))
        case .es384: .forged(.algorithm("ES384"))
        case .oneCertificate: .forged(.certificates(1))
        case .twoCertificates: .forged(.certificates(2))
        case .fourCertificates: .forged(.certificates(4))
        case .noCertificates: .forged(.certificates(0))
        case .certificateOfLetters: .forged(.unreadableCertificate(index: 0))
        case .notYetValid, .expired, .expiredIntermediate: .forged(.notValidWhenSigned)
        case .future: .forged(.signedInFuture)
        case .noSignedDate: .forged(.noSignedDate)
        case .otherPayload, .otherSignature, .shortSignature: .forged(.signature)
        case .emptySignature, .twoSegments, .fourSegments, .empty: .forged(.notThreeSegments)
        case .padded, .standardBase64: .forged(.notBase64URL(.signature))
        case .looseBits: .forged(.notBase64URL(.signature))
        case .huge: .forged(.tooLong(bytes: JWSSegments.mostBytes + 1))
        case .headerOfList: .forged(.notJSON(.header))
        case .deep, .payloadOfText, .trailingText: .forged(.notJSON(.payload))
        }
    }

    func text(_ store: Store) throws -> String {
        let payload = try Payload.transaction(), chain = store.chain
        let genuine = try store.signer.sign(payload)
        let parts = genuine.split(separator: ".").map(String.init)
        func sent(_ certificates: [[UInt8]]) throws -> String { try JWSSigner(chain, certificates: certificates).sign(payload) }
        func claimed(_ algorithm: String) throws -> String { try JWSSigner(chain, algorithm: algorithm).sign(payload) }
        func leaf(_ change: (inout CertificateOrder) -> Void) throws -> String {
            var leaf = CertificateOrder.leaf
            change(&leaf)
            return try JWSSigner(SigningChain(root: chain.root, intermediate: chain.intermediate, leaf: leaf)).sign(payload)
        }
        func intermediate(_ change: (inout CertificateOrder) -> Void) throws -> String {
            var intermediate = CertificateOrder.intermediate
            change(&intermediate)
            return try JWSSigner(SigningChain(root: chain.root, intermediate: intermediate)).sign(payload)
        }
        func signed(_ json: String) throws -> String { try store.signer.sign(Data(json.utf8)) }

        switch self {
        case .otherRoot: return try JWSSigner(SigningChain()).sign(payload)
        case .otherRootSent:
            let other = try SigningChain()
            return try JWSSigner(other, certificates: [other.leaf, other.intermediate.der, chain.root.der]).sign(payload)
        case .applePayLeaf: return try leaf { $0.marker = "1.2.840.113635.100.6.32" }
        case .unmarkedIntermediate: return try intermediate { $0.marker = nil }
        case .leafOfRoot:
            return try JWSSigner(SigningChain(root: chain.root, intermediate: chain.root)).sign(payload)
        case .p384Leaf: return try leaf { $0.curve = .p384 }
        case .p384LeafShortSignature:
            let text = try leaf { $0.curve = .p384 }
            return String(text[...text.lastIndex(of: ".")!]) + Data(repeating: 7, count: 64).base64URL
        case .none: return try claimed("none")
        case .hs256: return try claimed("HS256")
        case .es384: return try claimed("ES384")
        case .oneCertificate: return try sent([chain.leaf])
        case .twoCertificates: return try sent([chain.leaf, chain.intermediate.der])
        case .fourCertificates: return try sent(chain.certificates + [chain.root.der])
        case .noCertificates: return try sent([])
        case .doubledLeaf: return try sent([chain.leaf, chain.leaf, chain.root.der])
        case .doubledIntermediate: return try sent([chain.intermediate.der, chain.intermediate.der, chain.root.der])
        case .certificateOfLetters: return try sent([Array("letters".utf8), chain.intermediate.der, chain.root.der])
        case .notYetValid: return try leaf { $0.notBefore = Date(timeIntervalSince1970: Double(noon / 1000 + 1)) }
        case .expired: return try leaf { $0.notAfter = Date(timeIntervalSince1970: Double(noon / 1000 - 1)) }
        case .expiredIntermediate:
            return try intermediate { $0.notAfter = Date(timeIntervalSince1970: Double(noon / 1000 - 1)) }
        case .future: return try store.transaction(["signedDate": noon + 300_001])
        case .noSignedDate: return try store.transaction(["signedDate": nil])
        case .otherPayload:
            return [parts[0], try Payload.transaction(["price": 1]).base64URL, parts[2]].joined(separator: ".")
        case .otherSignature: return [parts[0], parts[1], Data(repeating: 7, count: 64).base64URL].joined(separator: ".")
        case .shortSignature: return [parts[0], parts[1], Data(repeating: 7, count: 63).base64URL].joined(separator: ".")
        case .emptySignature: return [parts[0], parts[1], ""].joined(separator: ".")
        case .twoSegments: return parts.dropLast().joined(separator: ".")
        case .fourSegments: return genuine + ".AAAA"
        case .empty: return ""
        case .padded: return genuine + "=="
        case .standardBase64: return "\(parts[0]).\(parts[1])." + String(repeating: "+", count: 86)
        case .looseBits: return "\(parts[0]).\(parts[1])." + String(repeating: "A", count: 85) + "B"
        case .huge: return String(repeating: "A", count: JWSSegments.mostBytes + 1)
        case .deep:
            return try signed(
                #"{"signedDate":\#(noon),"a":"# + String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
                    + "}")
        case .headerOfList: return [Data("[]".utf8).base64URL, parts[1], parts[2]].joined(separator: ".")
        case .payloadOfText: return try signed("\"text\"")
        case .trailingText: return try signed(String(decoding: payload, as: UTF8.self) + "{}")
        }
    }
}

@Suite("A text that nobody at Apple signed", .timeLimit(.minutes(1)))
struct ForgeryTests {
    @Test("is refused, and leaves nothing in memory", arguments: Forgery.allCases)
    func refused(_ forgery: Forgery) async throws {
        let store = try Store()
        let text = try forgery.text(store)

        await #expect(throws: forgery.expected) { try await store.verifier.transaction(text, nowMs: noon) }
        // The future is the only one whose certificates and signature are genuine.
        #expect(store.verifier.knownChains == (forgery == .future ? 1 : 0))
    }

    @Test("is refused also after genuine ones", arguments: Forgery.allCases)
    func refusedWarm(_ forgery: Forgery) async throws {
        let store = try Store()
        _ = try await store.verifier.transaction(store.transaction(), nowMs: noon)
        let text = try forgery.text(store)

        await #expect(throws: forgery.expected) { try await store.verifier.transaction(text, nowMs: noon) }
        #expect(store.verifier.knownChains == 1)
    }

    @Test("is told apart by one code, and the sentence says what to do", arguments: Forgery.allCases)
    func sentence(_ forgery: Forgery) {
        #expect(forgery.expected.code.rawValue == "purchase_forged")
        #expect(forgery.expected.description.hasSuffix("."))
    }

    @Test("does not push a genuine chain out of memory by headers that the leaf did not sign")
    func newHeaders() async throws {
        let store = try Store(mostChains: 1)
        let genuine = try store.transaction()
        _ = try await store.verifier.transaction(genuine, nowMs: noon)
        let parts = genuine.split(separator: ".").map(String.init)
        let list = store.chain.certificates.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
        let header = Data("{\"alg\":\"ES256\",\"extra\":1,\"x5c\":[\(list)]}".utf8).base64URL

        await #expect(throws: AppStoreRefusal.forged(.signature)) {
            try await store.verifier.transaction("\(header).\(parts[1]).\(parts[2])", nowMs: noon)
        }
        #expect(store.verifier.knownChains == 1)
    }
}
