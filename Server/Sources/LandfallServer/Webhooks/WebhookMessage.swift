// SPDX-License-Identifier: Apache-2.0
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

    func written() -> Written {
        // What says that somebody was erased stays when their rows go.
        let isOfPerson = type != .profileErased
        func column(_ name: String) -> SQLValue {
            guard isOfPerson, case .string(let text)? = data[name] else { return .null }
            return .text(text)
        }
        let number = "sequence", fields = data.filter { $0.key != number }.sorted(by: JSONWriter.isBefore)
        let later = fields.firstIndex { number.utf8.lexicographicallyPrecedes($0.key.utf8) } ?? fields.count
        var json = JSONWriter(capacity: 1_024)
        func write(_ fields: ArraySlice<(key: String, value: JSONValue)>) {
            for (name, value) in fields {
                json.key(text: name)
                value.write(to: &json)
            }
        }
        json.beginObject()
        json.key("data")
        json.beginObject()
        write(fields[..<later])
        json.key("sequence")
        let place = json.bytes.count
        write(fields[later...])
        json.endObject()
        json.field("timestamp", Instant(milliseconds: atMs).description)
        json.field("type", type.rawValue)
        json.endObject()
        return Written(
            id: id, profile: column("profileId"), install: column("installId"), endpoints: endpoints,
            beforeNumber: String(decoding: json.bytes[..<place], as: UTF8.self), afterNumber: String(decoding: json.bytes[place...], as: UTF8.self))
    }

    /// The text of a message, made before its transaction: the writer only puts the number into it.
    struct Written: Sendable {
        let id: String
        let profile, install: SQLValue
        let endpoints: [String]
        let beforeNumber, afterNumber: String
    }
}

extension WebhookMessage.Written {
    func body(sequence: Int64) -> String { "\(beforeNumber)\(sequence)\(afterNumber)" }

    func insertions(sequence: Int64, into app: AppID, nowMs: Int64) -> [Statement] {
        let message = Statement(
            """
            INSERT INTO webhook_message (app_id, message_id, sequence, profile_id, install_id, body)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(id), .integer(sequence), profile, install, .text(body(sequence: sequence)),
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
