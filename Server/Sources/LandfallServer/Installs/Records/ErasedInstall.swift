// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// An install whose person was erased. For a while the server still tells it so: a phone that was offline then starts as a new
/// install, and does not send the erased data again. For exports the table has the hashes of erased profiles too.
package enum ErasedInstall {
    /// Longer than a phone keeps events.
    package static let keptMs: Int64 = 35 * 86_400_000

    static func hash(of install: InstallID) -> [UInt8] { Array(SHA256.hash(data: Data(install.rawValue.utf8))) }

    /// Ids of profiles are no ids of installs, so none of them is taken for an install.
    static func hash(of profile: ProfileID) -> [UInt8] { Array(SHA256.hash(data: Data(profile.rawValue.utf8))) }

    /// Of an install that the server does not know: nothing else proves that the caller is its phone.
    static func hash(of credential: Credential) -> [UInt8] {
        Array(SHA256.hash(data: Data(credential.installID.rawValue.utf8) + Data(credential.secretHash)))
    }

    static func mark(_ hash: [UInt8], in app: AppID, nowMs: Int64) -> Statement {
        Statement(
            """
            INSERT INTO erased_install (app_id, install_hash, erased_at_ms) VALUES ($1, $2, $3)
            ON CONFLICT (app_id, install_hash) DO UPDATE SET erased_at_ms = excluded.erased_at_ms
            """, [.text(app.rawValue), .blob(hash), .integer(nowMs)])
    }
}
