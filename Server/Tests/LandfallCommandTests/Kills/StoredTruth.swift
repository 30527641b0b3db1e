// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import LandfallSQLite
@testable import LandfallStore

/// The server's rows about one install, read while it runs or afterwards.
struct StoredTruth {
    let database: SQLiteDatabase

    init(in folder: URL) throws {
        database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path, isAlone: false)
    }

    /// The numbers of the taps whose click was stored, see TestPhone.
    func taps() async throws -> [Int64] {
        try await database.read { connection in
            try connection.rows("SELECT parameters ->> 'tap' AS tap FROM click", []).compactMap { try Int64($0.text("tap")) }
        }
    }

    func events(of install: String) async throws -> [String] {
        try await column("event_id", "SELECT event_id FROM event WHERE install_id = $1 ORDER BY event_id", install)
    }

    /// The app's own numbers, see TestPhone.
    func revisions(of install: String) async throws -> [Int64] {
        try await database.read { connection in
            try connection.rows("SELECT revision FROM event WHERE install_id = $1 ORDER BY revision", [.text(install)])
                .compactMap { $0.optionalInteger("revision") }
        }
    }

    func sources(of install: String) async throws -> [String] {
        try await column("source", "SELECT source FROM attribution_fact WHERE install_id = $1 ORDER BY source", install)
    }

    func exchangeStates(of install: String) async throws -> [String] {
        try await column("state", "SELECT state FROM apple_ads_exchange WHERE install_id = $1", install)
    }

    func attributes(of install: String) async throws -> [String] {
        try await column(
            "attributes",
            "SELECT attributes FROM profile WHERE profile_id IN (SELECT profile_id FROM install WHERE install_id = $1)", install
        )
    }

    private func column(_ name: String, _ text: String, _ install: String) async throws -> [String] {
        try await database.read { connection in
            try connection.rows(text, [.text(install)]).map { try $0.text(name) }
        }
    }
}
