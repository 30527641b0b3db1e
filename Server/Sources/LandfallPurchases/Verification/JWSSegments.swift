// SPDX-License-Identifier: Apache-2.0
import Crypto

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
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { throw .forged(.notThreeSegments) }
        guard let payload = Base64URL.bytes(parts[1]) else { throw .forged(.notBase64URL(.payload)) }
        guard let signature = Base64URL.bytes(parts[2]) else { throw .forged(.notBase64URL(.signature)) }
        payloadBytes = payload
        signatureBytes = signature
        // One pass over the text gives all three.
        var hasher = SHA256()
        let point = [UInt8(ascii: ".")]
        hasher.update(parts[0])
        headerHash = Array(hasher.finalize())
        hasher.update(data: point)
        hasher.update(parts[1])
        digest = hasher.finalize()
        hasher.update(data: point)
        hasher.update(parts[2])
        hash = Array(hasher.finalize())
        header = String(parts[0]) ?? ""
    }
}

extension SHA256 {
    fileprivate mutating func update(_ text: Substring.UTF8View) {
        if text.withContiguousStorageIfAvailable({ update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
            update(data: Array(text))
        }
    }
}
