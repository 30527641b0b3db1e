// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The three parts of a signed text, and the hashes of its beginnings: header, header with payload, all of it.
struct JWSSegments {
    /// Apple's longest known have a third of that.
    static let mostBytes = 65_536

    let header: String
    let payloadBytes: [UInt8]
    let signatureBytes: [UInt8]
    let headerHash: [UInt8]
    /// What is signed.
    let digest: SHA256Digest
    let hash: [UInt8]

    init(_ text: String) throws(AppStoreRefusal) {
        let count = text.utf8.count
        guard count <= Self.mostBytes else { throw .forged(.tooLong(bytes: count)) }
        var text = text
        self = try text.withUTF8 { bytes in Result { () throws(AppStoreRefusal) in try JWSSegments(bytes) } }.get()
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) throws(AppStoreRefusal) {
        // `split` of a text of Apple's takes a fifth as long as the check of its signature.
        guard let one = Self.point(in: text[...]), let other = Self.point(in: text[(one + 1)...]),
            Self.point(in: text[(other + 1)...]) == nil, one > 0, other > one + 1, text.count > other + 1
        else { throw .forged(.notThreeSegments) }
        guard let payload = Base64URL.bytes(text[(one + 1)..<other]) else { throw .forged(.notBase64URL(.payload)) }
        guard let signature = Base64URL.bytes(text[(other + 1)...]) else { throw .forged(.notBase64URL(.signature)) }
        payloadBytes = payload
        signatureBytes = signature
        // One pass over the text gives all three.
        var hasher = SHA256()
        hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<one]))
        headerHash = hasher.finalize().withUnsafeBytes { Array($0) }
        hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[one..<other]))
        digest = hasher.finalize()
        hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[other...]))
        hash = hasher.finalize().withUnsafeBytes { Array($0) }
        header = String(decoding: text[..<one], as: UTF8.self)
    }

    private static func point(in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let start = UnsafeBufferPointer(rebasing: text).baseAddress,
            let found = memchr(start, Int32(UInt8(ascii: ".")), text.count)
        else { return nil }
        return text.startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
}
