// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire
import Synchronization

/// Finds installs that were not seen for too long: a walk in the order of their first opens, in slices.
///
/// An index by the last visit would find them at once, but each visit that is stored would change it, and each first open would write one
/// entry more. No install was last seen before its first open, so the walk is over those alone whose first open is old enough.
///
/// The place in the walk is kept in memory. After a restart the next walk begins at the start, and so does the walk of a node that has
/// rested for long: others may have looked meanwhile.
final class SilentInstalls: Sendable {
    /// The most installs that one slice looks at.
    static let mostSeen: Int64 = 2_000
    private static let longestRestMs = Retention.dayMs / 2

    fileprivate struct Place {
        var createdAtMs: Int64 = 0
        var install = ""
        /// The limit at its last slice.
        let limitMs: Int64
    }

    /// Installs after a place of the walk.
    struct Slice {
        /// Those that were silent, the oldest first.
        let silent: [InstallID]
        /// The walk has come to its end with them.
        let isLast: Bool
        fileprivate let end: Place
    }

    private let app: AppID
    private let mostSeen: Int64
    private let place = Mutex<Place?>(nil)

    init(app: AppID, mostSeen: Int64 = SilentInstalls.mostSeen) {
        (self.app, self.mostSeen) = (app, mostSeen)
    }

    /// The next ones. The walk stays where it is until ``pass(_:)``.
    /// - Parameter most: the slice ends with so many silent installs.
    func next(before limitMs: Int64, most: Int, in database: any Database) async throws -> Slice {
        let kept = place.withLock(\.self)
        var end = Place(limitMs: limitMs)
        // By the last slice, not by the first: a walk may take days.
        if let kept, abs(limitMs - kept.limitMs) < Self.longestRestMs { (end.createdAtMs, end.install) = (kept.createdAtMs, kept.install) }
        let statement = Statement(
            RetentionTexts.oldInstalls,
            [.text(app.rawValue), .integer(limitMs), .integer(end.createdAtMs), .text(end.install), .integer(mostSeen)])
        let rows = try await database.read { try $0.rows(statement) }
        var silent: [InstallID] = []
        for row in rows {
            (end.createdAtMs, end.install) = (try row.integer("created_at_ms"), try row.text("install_id"))
            guard try row.integer("last_seen_at_ms") < limitMs else { continue }
            silent.append(InstallID(end.install))
            if silent.count >= most { return Slice(silent: silent, isLast: false, end: end) }
        }
        return Slice(silent: silent, isLast: rows.count < mostSeen, end: end)
    }

    /// The slice's silent installs are gone, or were seen meanwhile: the walk goes on behind it.
    func pass(_ slice: Slice) {
        place.withLock { $0 = slice.isLast ? nil : slice.end }
    }
}
