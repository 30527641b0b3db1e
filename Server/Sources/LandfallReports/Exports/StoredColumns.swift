// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallStore

/// Columns of one table of the store, and the fields that they become. Every list names its columns: a new column of the store is exported
/// only once it is added here, at the end.
struct StoredColumns: Sendable {
    private let columns: [(name: String, field: ExportField)]

    private init(_ columns: [(name: String, field: ExportField)]) { self.columns = columns }

    var fields: [ExportField] { columns.map(\.field) }
    var names: String { columns.map(\.name).joined(separator: ", ") }

    static let clicks = StoredColumns([
        ("click_id", .text("clickId")), ("clicked_at_ms", .integer("clickedAtMilliseconds")), ("kind", .text("kind")),
        ("platform", .text("platform")), ("link_host", .text("linkHost")), ("link_path", .text("linkPath")),
        ("outcome", .text("outcome")), ("visitor", .hexadecimal("visitor")), ("country", .text("country")),
        ("tracker", .text("tracker")), ("campaign", .text("campaign")), ("ad_group", .text("adGroup")),
        ("creative", .text("creative")), ("label", .text("label")), ("channel", .text("channel")),
        ("referrer", .text("referrer")), ("browser", .text("browser")), ("language", .text("language")),
        ("product_page", .text("productPage")), ("parameters", .json("parameters")),
    ])

    private static let anyEvent: [(name: String, field: ExportField)] = [
        ("id", .text("id")), ("event_id", .text("eventId")), ("type", .text("type")), ("install_id", .text("installId")),
        ("profile_id", .text("profileId")), ("occurred_at_ms", .integer("occurredAtMilliseconds")),
        ("received_at_ms", .integer("receivedAtMilliseconds")),
    ]
    /// Of the columns of events.
    static let typeIndex = 2

    static let exposures = StoredColumns(
        anyEvent + [
            ("placement", .text("placement")), ("paywall", .text("paywall")), ("variation_id", .text("variation")),
            ("audience", .text("audience")), ("revision", .integer("revision")), ("origin", .text("origin")),
            ("elapsed_ms", .integer("elapsedMilliseconds")),
        ])

    static let events = StoredColumns(
        anyEvent + [
            ("value_milliunits", .integer("valueMilliunits")), ("currency", .text("currency")), ("properties", .json("properties")),
        ])

    static let assignments = StoredColumns([
        ("assigned_at_ms", .integer("assignedAtMilliseconds")), ("unit", .text("installId")), ("experiment", .text("experiment")),
        ("epoch", .integer("epoch")), ("variation", .text("variation")), ("bucket", .integer("bucket")), ("step", .text("step")),
        ("revision", .integer("revision")), ("decided_at_ms", .integer("decidedAtMilliseconds")),
        ("shown_at_ms", .integer("shownAtMilliseconds")), ("fallback_at_ms", .integer("fallbackAtMilliseconds")),
    ])

    static let erasures = StoredColumns([
        ("erased_at_ms", .integer("erasedAtMilliseconds")), ("install_hash", .hexadecimal("idSha256")),
    ])
}

/// How the rows of a day are found, a page at a time. `$1` is the app, `$2` the end of the day; then come the key after which a page
/// begins, and the most rows.
enum StoredTexts {
    /// An id begins with the time of the click.
    static let clicks = """
        SELECT \(StoredColumns.clicks.names) FROM click
        WHERE app_id = $1 AND click_id < $2 AND click_id > $3 ORDER BY click_id LIMIT $4
        """
    /// An id begins with the time of receipt. Every event counts as read, so that no page goes through a whole day.
    static let exposures = """
        SELECT \(StoredColumns.exposures.names) FROM event WHERE app_id = $1 AND id < $2 AND id > $3 ORDER BY id LIMIT $4
        """
    static let events = """
        SELECT \(StoredColumns.events.names) FROM event WHERE app_id = $1 AND id < $2 AND id > $3 ORDER BY id LIMIT $4
        """
    static let assignments = """
        SELECT \(StoredColumns.assignments.names) FROM experiment_unit
        WHERE app_id = $1 AND assigned_at_ms < $2 AND (assigned_at_ms, unit, experiment) > ($3, $4, $5)
        ORDER BY assigned_at_ms, unit, experiment LIMIT $6
        """
    static let erasures = """
        SELECT \(StoredColumns.erasures.names) FROM erased_install
        WHERE app_id = $1 AND erased_at_ms < $2 AND (erased_at_ms, install_hash) > ($3, $4)
        ORDER BY erased_at_ms, install_hash LIMIT $5
        """
    static let installs = """
        SELECT \(ExportedInstall.Column.names()) FROM install
        WHERE app_id = $1 AND created_at_ms < $2 AND (created_at_ms, install_id) > ($3, $4)
        ORDER BY created_at_ms, install_id LIMIT $5
        """
    static let lastSeen = """
        SELECT install_id, last_seen_at_ms FROM install_seen WHERE app_id = $1 AND install_id IN (\(ListedIDs.places))
        """
    static let customers = """
        SELECT profile_id, customer_id, customer_is_verified FROM profile
        WHERE app_id = $1 AND profile_id IN (\(ListedIDs.places))
        """

    private static let more = """
        , type, booked_at_ms, purchased_at_ms, quantity, offer_type, offer_discount, offer_id, reason, group_id, service_ends_at_ms
        """
    static let charges = RevenueReader.text(RevenueReader.bookingKey, more)
    static let purchases = RevenueReader.text(RevenueReader.purchaseKey, more, where: "kind IN ('purchase', 'trial') AND ")
}
