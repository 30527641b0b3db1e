// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// The paywall that sold a chain of purchases, as the event of its exposure says it.
package struct SoldBy: Hashable, Sendable, ColumnText {
    package static let column = "sold_by"

    package let placement: String?
    package let paywall: String?
    package let variation: String?

    package init(placement: String? = nil, paywall: String? = nil, variation: String? = nil) {
        (self.placement, self.paywall, self.variation) = (placement, paywall, variation)
    }

    /// Nil if the event has not come.
    /// - Parameters:
    ///   - exposure: as the phone calls the event.
    ///   - sinceMs: events that came earlier are not looked at. Each event of the install since then may be read.
    package static func find(
        _ exposure: String, of install: InstallID, sinceMs: Int64 = 0, in app: AppID, from connection: any ReadConnection
    ) throws -> SoldBy? {
        let values: [SQLValue] = [
            .text(app.rawValue), .text(install.rawValue), .text(UUIDv7.earliest(atMs: sinceMs)), .text(exposure),
        ]
        return try connection.row(question, values).map { row in
            SoldBy(
                placement: row.optionalText("placement"), paywall: row.optionalText("paywall"), variation: row.optionalText("variation_id"))
        }
    }

    static let question = """
        SELECT placement, paywall, variation_id FROM event
        WHERE app_id = $1 AND install_id = $2 AND id >= $3 AND event_id = $4 AND type IN ('paywall_shown', 'paywall_decided')
        ORDER BY id DESC LIMIT 1
        """
}
