// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallDatabase
import LandfallWire

/// Which request a key stands for. What changes between two tries of one request (its age, another token that proves the same) is no part of it.
enum RequestKind: String {
    case claim, attributes, identify, logOut, linkOpen
    /// With an identity token: it does more than the same call without, so it is another request.
    case provenIdentify
}

extension InstallChange {
    /// Takes the key for this request.
    /// - Returns: false where the same request has been done before: there is nothing left to do.
    /// - Throws: ``InstallError/keyReused(_:)`` where the key stands for another request.
    func isFirst(_ key: IdempotencyKey, _ kind: RequestKind, _ body: some Encodable) throws -> Bool {
        let text = key.rawValue.utf8
        guard (1...Limits.idempotencyKey).contains(text.count), text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw InstallError.invalidValue("An idempotency key has 1 to 64 visible ASCII characters.")
        }
        let hash = Array(SHA256.hash(data: Data((kind.rawValue + "\n").utf8) + (try WireCoding.encode(body))))
        let isNew =
            try connection.run(
                """
                INSERT INTO request_key (app_id, install_id, request_key, body_hash, created_at_ms)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT DO NOTHING
                """,
                [.text(app.rawValue), .text(id.rawValue), .text(key.rawValue), .blob(hash), .integer(nowMs)]
            ) > 0
        if isNew { return true }
        let row = try connection.row(
            "SELECT body_hash FROM request_key WHERE app_id = $1 AND install_id = $2 AND request_key = $3",
            [.text(app.rawValue), .text(id.rawValue), .text(key.rawValue)]
        )
        guard try row?.blob("body_hash") == hash else { throw InstallError.keyReused(key) }
        return false
    }
}
