// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// An install as two tables show it: how it came, and what it is now.
struct ExportedInstall: Sendable {
    enum Column: Int, TableColumn {
        case created_at_ms, install_id, installed_at_ms, profile_id, platform, device_model, os_version, app_version, locale
        case store_country, time_zone, is_reinstall, first_install_id, first_app_version
    }

    static let columns = ColumnIndexes<Column>()

    let row: Row
    /// Its values for reports; nil if its id is not one that phones make.
    var reported: ReportedInstall?
    /// To the hour; nil since the first open.
    var lastSeenAtMs: Int64?
    var customer: (id: String, isVerified: Bool)?

    subscript(_ column: Column) -> SQLValue { row.values[Self.columns[column]] }

    private func integer(_ column: Column) -> Int64 { row.optionalInteger(Self.columns[column]) ?? 0 }

    /// How the table shows a field.
    typealias Shown = (field: ExportField, value: @Sendable (ExportedInstall) -> SQLValue)

    private static func stored(_ field: ExportField, _ column: Column) -> Shown { (field, { $0[column] }) }

    /// Of the source that brought the install; null if none is known.
    private static func origin(_ field: ExportField, _ value: @escaping @Sendable (AttributionFact) -> SQLValue) -> Shown {
        (field, { $0.reported?.origin.map(value) ?? .null })
    }

    static let firstOpens: [Shown] = [
        stored(.text("installId"), .install_id),
        (.integer("openedAtMilliseconds"), { .integer(min($0.integer(.created_at_ms), $0.integer(.installed_at_ms))) }),
        stored(.integer("receivedAtMilliseconds"), .created_at_ms),
        stored(.text("platform"), .platform),
        stored(.text("deviceModel"), .device_model),
        stored(.text("storeCountry"), .store_country),
        stored(.text("locale"), .locale),
        stored(.text("appVersion"), .first_app_version),
        stored(.boolean("isReinstall"), .is_reinstall),
        stored(.text("firstInstallId"), .first_install_id),
        (.text("attribution"), { .text($0.reported?.origin != nil ? "attributed" : $0.reported?.isOrganic == true ? "organic" : "unknown") }),
        origin(.text("source")) { .text($0.source.rawValue) },
        origin(.boolean("isVerified")) { .flag($0.verified) },
        origin(.boolean("isTest")) { .flag($0.test) },
        origin(.text("channel")) { .text($0.channel) },
        origin(.text("campaign")) { .text($0.campaign) },
        origin(.integer("campaignId")) { .integer($0.appleAds?.campaignId) },
        origin(.text("adGroup")) { .text($0.adGroup) },
        origin(.integer("adGroupId")) { .integer($0.appleAds?.adGroupId) },
        origin(.text("adSet")) { .text($0.adSet) },
        origin(.text("creative")) { .text($0.creative) },
        origin(.integer("adId")) { .integer($0.appleAds?.adId) },
        origin(.text("keyword")) { .text($0.link?.keyword) },
        origin(.integer("keywordId")) { .integer($0.appleAds?.keywordId) },
        origin(.text("link")) { .text($0.link?.code) },
        origin(.integer("attributedAtMilliseconds")) { .integer($0.recordedAtMs) },
    ]

    static let installs: [Shown] = [
        stored(.text("installId"), .install_id),
        stored(.text("profileId"), .profile_id),
        (.text("customerId"), { .text($0.customer?.id) }),
        (.boolean("isCustomerVerified"), { $0.customer.map { .flag($0.isVerified) } ?? .null }),
        stored(.integer("receivedAtMilliseconds"), .created_at_ms),
        (.integer("lastSeenAtMilliseconds"), { .integer(max($0.lastSeenAtMs ?? 0, $0.integer(.created_at_ms))) }),
        stored(.text("platform"), .platform),
        stored(.text("deviceModel"), .device_model),
        stored(.text("osVersion"), .os_version),
        stored(.text("appVersion"), .app_version),
        stored(.text("locale"), .locale),
        stored(.text("storeCountry"), .store_country),
        stored(.text("timeZone"), .time_zone),
        stored(.boolean("isReinstall"), .is_reinstall),
        stored(.text("firstInstallId"), .first_install_id),
    ]
}
