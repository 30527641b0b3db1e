// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// What the last read of names and spend came to: for the next one, for the doctor and for metrics.
package struct AppleAdsReading: Hashable, Sendable {
    /// See ``AppleAdsAccess/fingerprint``.
    package let access: String
    package var nextAtMs: Int64
    /// Since the last read without trouble.
    package var failures: Int64 = 0
    package var failingSinceMs: Int64?
    package var trouble: AppleAdsTrouble?
    /// The last read without trouble, by this access.
    package var readAtMs: Int64?

    /// How often names are read.
    static let pauseMs: Int64 = 3_600_000
    /// The first pause after trouble that may pass by itself; it doubles up to the usual one.
    static let retryMs: Int64 = 60_000
    /// The pause after trouble that somebody has to end, here or at Apple.
    static let correctionMs: Int64 = 600_000

    init(access: String, nextAtMs: Int64) { (self.access, self.nextAtMs) = (access, nextAtMs) }

    mutating func worked(nowMs: Int64) {
        (failures, failingSinceMs, trouble) = (0, nil, nil)
        readAtMs = nowMs
        nextAtMs = nowMs + Self.pauseMs
    }

    mutating func failed(_ trouble: AppleAdsTrouble, nowMs: Int64) {
        failures += 1
        failingSinceMs = failingSinceMs ?? nowMs
        self.trouble = trouble
        nextAtMs = nowMs + (trouble.mayPass ? min(Self.pauseMs, Self.retryMs << min(failures - 1, 10)) : Self.correctionMs)
    }
}

extension AppleAdsReading {
    /// - Returns: nil if nothing was ever read.
    package init?(of app: AppID, _ connection: any ReadConnection) throws {
        guard let row = try connection.row(Self.text, [.text(app.rawValue)]) else { return nil }
        self.init(access: try row.text("access"), nextAtMs: try row.integer("next_at_ms"))
        failures = try row.integer("failures")
        failingSinceMs = row.optionalInteger("failing_since_ms")
        readAtMs = row.optionalInteger("read_at_ms")
        trouble = AppleAdsTrouble(stored: row)
    }

    func writing(_ app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO apple_ads_reading (
              app_id, access, next_at_ms, failures, failing_since_ms, trouble, detail, read_at_ms
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (app_id) DO UPDATE SET
              access = excluded.access, next_at_ms = excluded.next_at_ms, failures = excluded.failures,
              failing_since_ms = excluded.failing_since_ms, trouble = excluded.trouble, detail = excluded.detail,
              read_at_ms = excluded.read_at_ms
            """,
            [
                .text(app.rawValue), .text(access), .integer(nextAtMs), .integer(failures), .integer(failingSinceMs),
                .text(trouble?.kind.rawValue), .text(trouble?.detail), .integer(readAtMs),
            ])
    }

    private static let text = """
        SELECT access, next_at_ms, failures, failing_since_ms, trouble, detail, read_at_ms
        FROM apple_ads_reading WHERE app_id = $1
        """
}

extension AppleAdsTrouble {
    /// Of the columns `trouble` and `detail`. A kind of a newer release is one that this release does not understand.
    init?(stored row: Row) {
        guard let kind = row.optionalText("trouble") else { return nil }
        self.init(Kind(rawValue: kind) ?? .unexpected, row.optionalText("detail") ?? "")
    }
}
