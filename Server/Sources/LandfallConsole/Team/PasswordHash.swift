// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Foundation
import LandfallServer
import LandfallWire

/// A password as it is stored: scrypt with its parameters, so that they can grow later.
struct PasswordHash: Hashable, Sendable {
    struct Cost: Hashable, Sendable {
        /// N is 2 to this power.
        var power: Int
        var blockSize: Int
        var parallelism: Int

        /// 32 MiB and about half a second of one core.
        static let usual = Cost(power: 15, blockSize: 8, parallelism: 3)
    }

    /// Makes 32 bytes of a password, for as long as its cost says.
    typealias Derivation = @Sendable (_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8]

    let cost: Cost
    let salt: [UInt8]
    let bytes: [UInt8]

    static func make(_ password: String, cost: Cost, by derive: Derivation = scrypt) throws -> PasswordHash {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return PasswordHash(cost: cost, salt: salt, bytes: try derive(password, salt, cost))
    }

    /// Compares in constant time.
    func matches(_ password: String, by derive: Derivation = scrypt) throws -> Bool {
        let other = try derive(password, salt, cost)
        return other.count == bytes.count && zip(other, bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Unicode spells some letters in two ways; keyboards differ in which.
    @Sendable static func scrypt(_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: Data(password.precomposedStringWithCompatibilityMapping.utf8), salt: salt, outputByteCount: 32,
            rounds: 1 << cost.power, blockSize: cost.blockSize, parallelism: cost.parallelism
        ).withUnsafeBytes { Array($0) }
    }
}

extension PasswordHash {
    /// `scrypt$15$8$3$SALT$HASH`, both in base64.
    var text: String {
        "scrypt$\(cost.power)$\(cost.blockSize)$\(cost.parallelism)$\(Data(salt).base64EncodedString())$\(Data(bytes).base64EncodedString())"
    }

    init?(_ text: String) {
        let parts = text.split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let power = Int(parts[1]), let block = Int(parts[2]), let lanes = Int(parts[3]),
            (1...20).contains(power), (1...32).contains(block), (1...16).contains(lanes),
            let salt = Data(base64Encoded: String(parts[4])), let bytes = Data(base64Encoded: String(parts[5])), bytes.count == 32
        else { return nil }
        self.init(cost: Cost(power: power, blockSize: block, parallelism: lanes), salt: Array(salt), bytes: Array(bytes))
    }
}

/// Hashes passwords on threads of its own, two at a time.
package final class PasswordHasher: Sendable {
    private let cost: PasswordHash.Cost
    private let derive: PasswordHash.Derivation
    private let threads: OwnThreads
    /// Compared with where there is no such member, so that the answer takes as long.
    private let nobody: PasswordHash

    init(
        cost: PasswordHash.Cost = .usual, mostWaiting: Int = 16, derive: @escaping PasswordHash.Derivation = PasswordHash.scrypt
    ) {
        self.cost = cost
        self.derive = derive
        threads = OwnThreads(2, mostWaiting: mostWaiting, .passwords, "Too many passwords are being checked. Try again.")
        nobody = PasswordHash(cost: cost, salt: Array(repeating: 0, count: 16), bytes: Array(repeating: 0, count: 32))
    }

    /// - Throws: `busy` if too many wait.
    func hash(_ password: String) async throws -> String {
        try await threads.run { try PasswordHash.make(password, cost: cost, by: derive).text }
    }

    /// - Parameter stored: nil if there is no such member: the answer is then false, after the same time.
    func matches(_ password: String, _ stored: String?) async throws -> Bool {
        let known = stored.flatMap { PasswordHash($0) }
        let hash = known ?? nobody
        return try await threads.run { try hash.matches(password.cut(toBytes: PasswordRules.most), by: derive) } && known != nil
    }
}
