// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
import LandfallWire
import Synchronization

/// The types that any endpoint of the served configuration wants. Without endpoints a write asks this one number, and adds nothing.
package final class WebhookNeed: Sendable {
    private let state: Atomic<Int>

    package init(_ endpoints: [WebhookEndpoint] = []) { state = Atomic(Self.types(of: endpoints).bits) }

    package var types: WebhookTypes { WebhookTypes(bits: state.load(ordering: .relaxed)) }

    func follow(_ endpoints: [WebhookEndpoint]) { state.store(Self.types(of: endpoints).bits, ordering: .relaxed) }

    private static func types(of endpoints: [WebhookEndpoint]) -> WebhookTypes {
        WebhookTypes(bits: endpoints.reduce(0) { $0 | $1.types.bits })
    }

    /// What a transaction needs in order to tell endpoints of its facts. Draw it before the transaction begins.
    /// - Returns: nil if nobody wants any of these types.
    func note(of types: WebhookType..., nowMs: Int64) -> WebhookNote? {
        let wanted = self.types
        guard types.contains(where: wanted.contains) else { return nil }
        return WebhookNote(wanted: wanted, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
    }

    /// For a batch of events.
    func eventNote(nowMs: Int64) -> WebhookNote? { note(of: .firstOpen, .attributionDecided, .paywallShown, .experimentAssigned, nowMs: nowMs) }

    /// For a change of an install.
    func installNote(nowMs: Int64) -> WebhookNote? {
        note(of: .firstOpen, .attributionDecided, .linkOpened, .experimentAssigned, nowMs: nowMs)
    }
}

/// The row that a transaction adds for endpoints: one, however many facts it has, where they are of one install.
struct WebhookNote: Sendable {
    let wanted: WebhookTypes
    /// A UUIDv7.
    let id: String
    let nowMs: Int64

    func wants(_ type: WebhookType) -> Bool { wanted.contains(type) }

    /// Facts of several people, or of several phones, are a row each: an erasure deletes what it is about, and nothing else.
    func insertions(of facts: [WebhookFact], into app: AppID) -> [Statement] {
        var subjects: [WebhookFact.Subject] = []
        for fact in facts where !subjects.contains(fact.subject) { subjects.append(fact.subject) }
        return subjects.enumerated().map { index, subject in
            Statement(
                """
                INSERT INTO webhook_outbox (app_id, outbox_id, profile_id, install_id, facts, created_at_ms)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
                """,
                [
                    .text(app.rawValue), .text(index == 0 ? id : "\(id).\(index)"), .text(subject.profile?.rawValue),
                    .text(subject.install?.rawValue), .text(WebhookFact.text(of: facts.filter { $0.subject == subject })), .integer(nowMs),
                ])
        }
    }
}

/// A fact as the transaction knows it that it belongs to.
struct WebhookFact: Hashable, Sendable {
    /// Whose erasure takes it away before it is sent. Empty for a fact without a person, and for the fact that somebody was erased.
    struct Subject: Hashable, Sendable {
        var profile: ProfileID?
        var install: InstallID?
    }

    let type: WebhookType
    let atMs: Int64
    let subject: Subject
    /// A JSON object: `data` of the body, without `sequence`.
    let data: [UInt8]

    init(_ type: WebhookType, atMs: Int64, of subject: Subject = Subject(), _ fields: (inout JSONWriter) -> Void) {
        (self.type, self.atMs, self.subject) = (type, atMs, subject)
        var json = JSONWriter(capacity: 1_024)
        json.beginObject()
        fields(&json)
        json.endObject()
        data = json.bytes
    }

    static func text(of facts: [WebhookFact]) -> String {
        var json = JSONWriter(capacity: 1_024 * facts.count)
        json.beginList()
        for fact in facts {
            json.element()
            json.beginObject()
            json.field("atMs", fact.atMs)
            json.key("data")
            json.json(fact.data)
            json.field("type", fact.type.rawValue)
            json.endObject()
        }
        json.endList()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
