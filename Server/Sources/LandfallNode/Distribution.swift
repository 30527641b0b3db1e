// SPDX-License-Identifier: Apache-2.0

/// Where the rows of each table are once several PostgreSQLs share them, as Citus does it.
package enum Distribution {
    package enum Place: Hashable, Sendable {
        /// Cut into shards by a column that holds an install's id: all rows of one install are on one machine.
        case install(String = "install_id")
        /// Cut by a column of the table's own. Its rows are added and found by that column.
        case own(String)
        /// Whole on every machine: small, and rarely written.
        case reference
        /// Whole on the coordinator.
        case coordinator

        /// The column that says on which machine a row is; nil where the whole table is in one place.
        package var column: String? {
            switch self {
            case .install(let column), .own(let column): column
            case .reference, .coordinator: nil
            }
        }

        /// Whether rows with equal values in both columns are on one machine.
        package func isBeside(_ other: Self) -> Bool {
            if case .install = self, case .install = other { return true }
            return self == other && column != nil
        }
    }

    package struct Table: Sendable {
        package let name: String
        package let place: Place
        /// Why it is there.
        package let reason: String

        init(_ name: String, _ place: Place, _ reason: String) {
            (self.name, self.place, self.reason) = (name, place, reason)
        }
    }

    /// Every table of the schema.
    package static let tables = [
        Table("install", .install(), "what a phone's call reads and writes first"),
        Table("install_seen", .install(), "written with the install"),
        Table("install_activity", .install(), "written with the install"),
        Table("install_progress", .install(), "computed from the install's rows"),
        Table("attribution_fact", .install(), "read with the install"),
        Table("absence", .install(), "written with the install"),
        Table("request_key", .install(), "a call's key is the install's"),
        Table("apple_ads_exchange", .install(), "read with the install"),
        Table("event", .install(), "added by one phone, read by install; most of the bytes"),
        Table("event_key", .install(), "a phone's key of an event"),
        Table("experiment_unit", .install("unit"), "a unit is an install: of a reinstall, the device's first"),
        Table("report_dirty", .install("bucket"), "an install is marked by the transaction that changes it"),
        Table("profile", .own("profile_id"), "several installs may show it"),
        Table("former_profile", .own("profile_id"), "read where a profile is shown or erased"),
        Table("customer", .own("customer_id"), "found by the customer's id"),
        Table("erased_install", .own("install_hash"), "its rows no longer name the install"),
        Table("click", .own("click_id"), "a tap is before any install"),
        Table("button_tap", .own("click_id"), "found by the click whose page has the button"),
        Table("app_store_notification", .own("notification_uuid"), "recognised by Apple's id before anything of it is read"),
        Table("purchase_fact", .own("chain_id"), "a chain of purchases is folded from all of its facts"),
        Table("purchase_chain", .own("chain_id"), "written with the chain's facts"),
        Table("charge", .own("chain_id"), "written with the chain's facts"),
        Table("erased_chain", .own("chain_hash"), "its rows no longer name the chain"),
        Table("erased_charge", .own("charge_hash"), "its rows no longer name the charge"),
        Table("erased_revenue", .coordinator, "counts of equal charges of erased people"),
        Table("charge_day", .coordinator, "a row for each day; only reports read them"),
        Table("profile_chain", .own("profile_id"), "a profile's access is folded from all of its chains"),
        Table("access_grant", .own("profile_id"), "a profile's access is folded from all of its grants"),
        Table("purchase_token", .own("token"), "found by the token that Apple has signed"),
        Table("jws_header", .reference, "a row for each certificate of Apple that signs"),
        Table("store", .reference, "one row, read at the start"),
        Table("configuration", .reference, "a row for each version"),
        Table("experiment_epoch", .reference, "a row for each epoch of an experiment"),
        Table("link", .reference, "read by redirects of every node"),
        Table("visitor_key", .reference, "a row a day"),
        Table("address_key", .reference, "a row for ten minutes"),
        Table("deferred_link", .coordinator, "unique by token and by install, so no column can cut it yet"),
        Table("address_click", .coordinator, "rows of ten minutes, and only where matching by address is enabled"),
        Table("job", .coordinator, "one queue; a job ends with its row"),
        Table("webhook_outbox", .coordinator, "a row is gone within a second, or once an endpoint takes messages; one job takes all of them"),
        Table("webhook_message", .coordinator, "one queue, as of jobs"),
        Table("webhook_delivery", .coordinator, "one queue, as of jobs"),
        Table("webhook_endpoint", .coordinator, "some rows"),
        Table("webhook_sequence", .coordinator, "one row"),
        Table("alert_state", .coordinator, "a row for each thing that is wrong"),
        Table("alert_message", .coordinator, "one queue, as of jobs"),
        Table("retention_clock", .coordinator, "one row"),
        Table("purchase_rules", .coordinator, "one row"),
        Table("apple_ads_account", .coordinator, "some rows"),
        Table("apple_ads_entity", .coordinator, "names of campaigns and keywords; only reports and the console read them"),
        Table("apple_ads_spend", .coordinator, "a row for each keyword, day and country; only reports read them"),
        Table("apple_ads_reading", .coordinator, "one row"),
        Table("app_store_progress", .coordinator, "some rows"),
        Table("export_progress", .coordinator, "one row"),
        Table("backup_made", .coordinator, "one row"),
        Table("configuration_schedule", .coordinator, "some rows"),
        Table("key_use", .coordinator, "a row for each key, written each minute"),
        Table("install_kept", .coordinator, "counts of erased installs"),
        Table("report_day", .coordinator, "a text for each day"),
        Table("report_state", .coordinator, "one row"),
        Table("click_day", .coordinator, "a text for each day"),
        Table("click_closed", .coordinator, "one row"),
        Table("member", .coordinator, "people of the team"),
        Table("member_identity", .coordinator, "people of the team"),
        Table("console_invitation", .coordinator, "people of the team"),
        Table("console_session", .coordinator, "people of the team"),
        Table("sign_in_failure", .coordinator, "counts of some minutes"),
        Table("audit_entry", .coordinator, "what the team did"),
        Table("console_choice", .coordinator, "some rows"),
    ]
}
