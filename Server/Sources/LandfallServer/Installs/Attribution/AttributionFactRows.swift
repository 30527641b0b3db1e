// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallStore
import LandfallWire

extension AttributionFact {
    /// Only an abused install collects more facts than this.
    static let mostPerInstall = 64

    /// What is read of `attribution_fact`, besides whose fact it is.
    package enum Column: Int, TableColumn {
        case fact_id, source, status, is_verified, is_test, said_at_ms, recorded_at_ms
        case channel, campaign, ad_group, ad_set, creative, apple_ads, link
    }

    /// - Returns: nil if they are NULL.
    package init?(_ row: Row, _ fact: ColumnIndexes<Column>) throws {
        guard let id = row.optionalText(fact[.fact_id]) else { return nil }
        self.init(
            id: id,
            source: AttributionSource(try row.text(fact[.source])),
            status: AttributionClaim.Status(rawValue: try row.text(fact[.status])) ?? .unknown,
            saidAtMs: try row.integer(fact[.said_at_ms]),
            recordedAtMs: try row.integer(fact[.recorded_at_ms])
        )
        verified = try row.flag(fact[.is_verified])
        test = try row.flag(fact[.is_test])
        channel = row.optionalText(fact[.channel])
        campaign = row.optionalText(fact[.campaign])
        adGroup = row.optionalText(fact[.ad_group])
        adSet = row.optionalText(fact[.ad_set])
        creative = row.optionalText(fact[.creative])
        appleAds = try row.optionalText(fact[.apple_ads]).map(AppleAdsAnswer.stored)
        link = try row.optionalText(fact[.link]).map { try WireCoding.decode(ClickedLink.self, from: Data($0.utf8)) }
    }
}

extension AttributionFact {
    /// A stored fact with the same id stays unchanged.
    func insertion(of unit: InstallUnit) throws -> Statement {
        let appleAds = try appleAds.map { String(decoding: try WireCoding.encode($0), as: UTF8.self) }
        let link = try link.map { String(decoding: try WireCoding.encode($0), as: UTF8.self) }
        return Statement(
            """
            INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
              recorded_at_ms, channel, campaign, ad_group, ad_set, creative, apple_ads, link)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(unit.app.rawValue), .text(unit.id.rawValue), .text(id), .text(source.rawValue), .text(status.rawValue),
                .flag(verified), .flag(test), .integer(saidAtMs), .integer(recordedAtMs), .text(channel), .text(campaign),
                .text(adGroup), .text(adSet), .text(creative), .text(appleAds), .text(link),
            ])
    }

    static func deletion(of id: String, _ unit: InstallUnit) -> Statement {
        Statement(
            "DELETE FROM attribution_fact WHERE app_id = $1 AND install_id = $2 AND fact_id = $3",
            [.text(unit.app.rawValue), .text(unit.id.rawValue), .text(id)])
    }
}
