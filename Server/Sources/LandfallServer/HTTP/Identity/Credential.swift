// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The caller's install id, and the proof that the caller created it. Only the secret's hash is stored.
package struct Credential: Hashable, Sendable, Redacted {
    let installID: InstallID
    /// SHA-256 of the secret's 32 bytes. A plain hash is enough, because the secret is 256 random bits.
    let secretHash: [UInt8]

    /// Reads `<install id>.<secret>`: a lower-case UUID and 32 bytes of base64url without padding. Nil for anything else.
    package init?(header: String) {
        var text = header
        guard let proof = text.withUTF8({ InstallProof(UnsafeRawBufferPointer($0)) }) else { return nil }
        installID = proof.installID
        secretHash = proof.secretHash.bytes
    }

    init(installID: InstallID, secretHash: [UInt8]) {
        self.installID = installID
        self.secretHash = secretHash
    }

    /// Takes constant time, so that timing reveals nothing about the hash.
    func matches(_ storedHash: [UInt8]) -> Bool {
        guard storedHash.count == secretHash.count else { return false }
        return zip(storedHash, secretHash).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
