// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// Draws installs of an app at random: each install has the same chance, wherever its row is.
///
/// Draws random places among the stored installs, then walks the primary key's index once, from one drawn place to the next.
/// This reads only drawn rows. The time grows with the store: about a tenth of a second for a million installs.
struct InstallSampler<Numbers: RandomNumberGenerator & Sendable>: Sendable {
    let app: AppID
    var numbers: Numbers

    /// - Parameter most: how many are requested; all installs if there are fewer.
    /// - Returns: their ids in ascending order.
    mutating func draw(_ most: Int, from connection: any ReadConnection) throws -> [InstallID] {
        let stored = Int(try connection.row(Self.countText, [.text(app.rawValue)])?.integer("stored") ?? 0)
        var ids: [InstallID] = []
        var last = "", next = 0
        for place in places(min(most, stored), among: stored) {
            let values: [SQLValue] = [.text(app.rawValue), .text(last), .integer(Int64(place - next))]
            guard let id = try connection.row(Self.nextText, values)?.text("install_id") else { break }
            ids.append(InstallID(id))
            (last, next) = (id, place + 1)
        }
        return ids
    }

    /// Different places from 0, in ascending order. Robert Floyd's algorithm: one random number a place.
    private mutating func places(_ count: Int, among stored: Int) -> [Int] {
        var places: Set<Int> = []
        for last in (stored - count)..<stored where !places.insert(.random(in: 0...last, using: &numbers)).inserted {
            places.insert(last)
        }
        return places.sorted()
    }

    private static var countText: String { "SELECT COUNT(*) AS stored FROM install WHERE app_id = $1" }
    /// The primary key's index has both columns.
    private static var nextText: String {
        "SELECT install_id FROM install WHERE app_id = $1 AND install_id > $2 ORDER BY install_id LIMIT 1 OFFSET $3"
    }
}
