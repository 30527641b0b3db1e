// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// The request that a key stands for. Values that differ between two tries of one request (its age, a new token with the same
/// proof) are not part of it.
enum RequestKind: String {
    case claim, attributes, identify, logOut, linkOpen, purchases
    /// With an identity token: it does more than the same call without, so it is a different request.
    case provenIdentify
}

/// An idempotency key with the request that it stands for.
struct RequestKey: Hashable, Sendable {
    let key: IdempotencyKey
    /// SHA-256 over the kind of request and its body.
    let hash: [UInt8]

    /// - Throws: ``InstallError/invalidValue(_:)`` unless the key has 1 to 64 visible ASCII characters.
    init(_ key: IdempotencyKey, _ kind: RequestKind, _ body: some Encodable) throws {
        let text = key.rawValue.utf8
        guard (1...Limits.idempotencyKey).contains(text.count), text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw InstallError.invalidValue("An idempotency key has 1 to \(Limits.idempotencyKey) visible ASCII characters.")
        }
        self.key = key
        hash = Array(SHA256.hash(data: Data((kind.rawValue + "\n").utf8) + (try WireCoding.encode(body))))
    }
}

/// The keys of one transaction: those that were used before, and those that it uses.
struct RequestKeys: Sendable {
    private var hashes: [IdempotencyKey: [UInt8]] = [:]
    private var used: [RequestKey] = []

    init() {}

    /// - Returns: true if the request was not done before. False: there is nothing left to do.
    /// - Throws: ``InstallError/keyReused(_:)`` if the key stands for another request.
    mutating func use(_ request: RequestKey) throws(InstallError) -> Bool {
        if let hash = hashes[request.key] {
            guard hash == request.hash else { throw .keyReused(request.key) }
            return false
        }
        hashes[request.key] = request.hash
        used.append(request)
        return true
    }
}

extension RequestKeys {
    /// The most keys that one statement looks up. Most calls have one; a first open may have more.
    private static let lot = 16

    /// Asks which of these keys the install has used before.
    static func questions(_ keys: [RequestKey], of install: InstallID, in app: AppID) -> [Statement] {
        stride(from: 0, to: keys.count, by: lot).map { start in
            let lot = keys[start..<min(start + Self.lot, keys.count)].map { SQLValue.text($0.key.rawValue) }
            let none = Array(repeating: SQLValue.null, count: Self.lot - lot.count)
            return Statement(text, [.text(app.rawValue), .text(install.rawValue)] + lot + none)
        }
    }

    /// - Parameter answers: to ``questions(_:of:in:)``.
    init(_ answers: some Sequence<[Row]>) throws {
        for row in answers.joined() { hashes[IdempotencyKey(try row.text("request_key"))] = try row.blob("body_hash") }
    }

    func insertions(of unit: InstallUnit) -> [Statement] { insertions(of: unit.id, in: unit.app, nowMs: unit.nowMs) }

    /// Statements that store the keys that were used for the first time.
    func insertions(of install: InstallID, in app: AppID, nowMs: Int64) -> [Statement] {
        used.map { request in
            Statement(
                """
                INSERT INTO request_key (app_id, install_id, request_key, body_hash, created_at_ms)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT DO NOTHING
                """,
                [
                    .text(app.rawValue), .text(install.rawValue), .text(request.key.rawValue), .blob(request.hash),
                    .integer(nowMs),
                ])
        }
    }

    private static let text = """
        SELECT request_key, body_hash FROM request_key
        WHERE app_id = $1 AND install_id = $2
          AND request_key IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        """
}
