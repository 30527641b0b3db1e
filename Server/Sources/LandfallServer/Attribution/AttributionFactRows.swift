// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

extension AttributionFact {
    /// An install that hears more than this about itself is being played with.
    static let mostPerInstall = 64

    /// In no particular order: what they mean does not depend on one.
    static func all(of install: InstallID, in app: AppID, from connection: any ReadConnection) throws -> [AttributionFact] {
        try connection.rows(
            """
            SELECT fact_id, source, status, is_verified, is_test, said_at_ms, recorded_at_ms, channel, campaign, ad_group,
              ad_set, creative, apple_ads, link
            FROM attribution_fact WHERE app_id = $1 AND install_id = $2
            """,
            [.text(app.rawValue), .text(install.rawValue)]
        ).map(AttributionFact.init)
    }

    private init(_ row: Row) throws {
        self.init(
            id: try row.text("fact_id"),
            source: AttributionSource(try row.text("source")),
            status: AttributionClaim.Status(rawValue: try row.text("status")) ?? .unknown,
            saidAtMs: try row.integer("said_at_ms"),
            recordedAtMs: try row.integer("recorded_at_ms")
        )
        verified = try row.flag("is_verified")
        test = try row.flag("is_test")
        channel = row.optionalText("channel")
        campaign = row.optionalText("campaign")
        adGroup = row.optionalText("ad_group")
        adSet = row.optionalText("ad_set")
        creative = row.optionalText("creative")
        appleAds = try row.optionalText("apple_ads").map(AppleAdsAnswer.stored)
        link = try row.optionalText("link").map { try WireCoding.decode(ClickedLink.self, from: Data($0.utf8)) }
    }
}

extension AttributionFact {
    /// One with the same id is there already and stays.
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
