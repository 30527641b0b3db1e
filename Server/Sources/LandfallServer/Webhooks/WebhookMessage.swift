// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// A fact as endpoints get it, without its number.
struct WebhookMessage: Hashable, Sendable {
    /// `webhook-id`. It follows from the row that it comes of, so a row that comes twice is one message.
    let id: String
    let type: WebhookType
    let atMs: Int64
    let data: [String: JSONValue]
    /// Keys of the endpoints that want it.
    let endpoints: [String]

    /// - Parameter index: among the facts of the row.
    static func id(of outbox: String, _ index: Int) -> String { index == 0 ? outbox : "\(outbox)-\(index)" }

    func body(sequence: Int64) -> String {
        var data = data
        data["sequence"] = .integer(sequence)
        let body: JSONValue = .object([
            "type": .string(type.rawValue), "timestamp": .string(Instant(milliseconds: atMs).description), "data": .object(data),
        ])
        return ConfigurationSentence.text(of: body)
    }

    func insertions(sequence: Int64, into app: AppID, nowMs: Int64) -> [Statement] {
        // What says that somebody was erased stays when their rows go.
        let isOfPerson = type != .profileErased
        func column(_ name: String) -> SQLValue {
            guard isOfPerson, case .string(let text)? = data[name] else { return .null }
            return .text(text)
        }
        let message = Statement(
            """
            INSERT INTO webhook_message (app_id, message_id, sequence, profile_id, install_id, body)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(id), .integer(sequence), column("profileId"), column("installId"),
                .text(body(sequence: sequence)),
            ])
        return [message]
            + endpoints.map { endpoint in
                Statement(
                    """
                    INSERT INTO webhook_delivery (app_id, message_id, endpoint, attempts, due_at_ms, created_at_ms)
                    VALUES ($1, $2, $3, 0, $4, $4) ON CONFLICT DO NOTHING
                    """, [.text(app.rawValue), .text(id), .text(endpoint), .integer(nowMs)])
            }
    }
}

/// A fact as ``WebhookFact/text(of:)`` has written it.
struct StoredWebhookFact: Decodable {
    let type: String
    let atMs: Int64
    let data: [String: JSONValue]
}

extension [String: JSONValue] {
    /// What Apple Ads calls by number in the attribution.
    var appleAdsKeys: [(field: String, key: AppleAdsNames.Key)] {
        guard case .object(let attribution)? = self["attribution"], case .object(let ads)? = attribution["appleAds"] else { return [] }
        let kinds: [(String, AppleAdsKind, String)] = [
            ("campaignId", .campaign, "campaignName"), ("adGroupId", .adGroup, "adGroupName"), ("keywordId", .keyword, "keywordName"),
            ("adId", .ad, "adName"),
        ]
        return kinds.compactMap { id, kind, field in
            guard case .integer(let number)? = ads[id] else { return nil }
            return (field, AppleAdsNames.Key(kind, number))
        }
    }

    /// The same with the names beside the numbers.
    func naming(_ names: [AppleAdsNames.Key: String]) -> [String: JSONValue] {
        let named = appleAdsKeys.compactMap { field, key in names[key].map { (field, $0) } }
        guard !named.isEmpty, case .object(var attribution)? = self["attribution"], case .object(var ads)? = attribution["appleAds"] else {
            return self
        }
        for (field, name) in named { ads[field] = .string(name) }
        attribution["appleAds"] = .object(ads)
        var data = self
        data["attribution"] = .object(attribution)
        return data
    }
}
