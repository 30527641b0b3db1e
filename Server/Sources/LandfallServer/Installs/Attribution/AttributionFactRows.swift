// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
package import LandfallStore
import LandfallWire

extension AttributionFact {
    /// Only an abused install collects more facts than this.
    static let mostPerInstall = 64

    /// - Parameter place: the position of `fact_id, source, status, is_verified, is_test, said_at_ms, recorded_at_ms, channel,
    ///   campaign, ad_group, ad_set, creative, apple_ads, link`.
    /// - Returns: nil if they are NULL.
    package init?(_ row: Row, from place: Int) throws {
        guard let id = row.optionalText(place) else { return nil }
        self.init(
            id: id,
            source: AttributionSource(try row.text(place + 1)),
            status: AttributionClaim.Status(rawValue: try row.text(place + 2)) ?? .unknown,
            saidAtMs: try row.integer(place + 5),
            recordedAtMs: try row.integer(place + 6)
        )
        verified = try row.flag(place + 3)
        test = try row.flag(place + 4)
        channel = row.optionalText(place + 7)
        campaign = row.optionalText(place + 8)
        adGroup = row.optionalText(place + 9)
        adSet = row.optionalText(place + 10)
        creative = row.optionalText(place + 11)
        appleAds = try row.optionalText(place + 12).map(AppleAdsAnswer.stored)
        link = try row.optionalText(place + 13).map { try WireCoding.decode(ClickedLink.self, from: Data($0.utf8)) }
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
