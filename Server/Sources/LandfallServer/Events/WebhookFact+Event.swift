// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension InstallUnit {
    /// The row for a batch of events; none if it has nothing that an endpoint wants.
    /// - Parameters:
    ///   - facts: what the unit has told already.
    ///   - events: those that are new.
    ///   - assigned: what the events have brought.
    func telling(
        _ facts: [WebhookFact], _ events: [Event], _ assigned: [UnitAssignment], _ connection: any ReadConnection
    ) throws -> [Statement] {
        guard let webhook else { return [] }
        let shown = webhook.wants(.paywallShown) ? events.filter { $0.type == .paywallShown } : []
        let assigned = webhook.wants(.experimentAssigned) ? assigned : []
        var facts = facts
        if !shown.isEmpty || !assigned.isEmpty,
            let install = try StoredInstall(app, id, storeEpoch: storeEpoch, readsLastSeen: false, from: connection)?.install
        {
            func add(_ type: WebhookType, atMs: Int64, _ more: (inout JSONWriter) -> Void) {
                facts.append(
                    WebhookFact(type, atMs: atMs, of: install.webhookSubject) { json in
                        install.writeWebhookFields(to: &json, nowMs: nowMs)
                        more(&json)
                    })
            }
            for assignment in assigned { add(.experimentAssigned, atMs: nowMs) { assignment.writeWebhookFields(to: &$0) } }
            for event in shown { add(.paywallShown, atMs: event.occurredAtMs(nowMs: nowMs)) { event.writeWebhookFields(to: &$0) } }
        }
        return webhook.insertions(of: facts, into: app)
    }
}

extension UnitAssignment {
    func writeWebhookFields(to json: inout JSONWriter) {
        json.field("experiment", experiment.rawValue)
        json.field("variation", variation.rawValue)
        json.field("epoch", epoch)
        json.field("step", step.rawValue)
    }
}

extension Event {
    fileprivate func writeWebhookFields(to json: inout JSONWriter) {
        json.field("eventId", id)
        json.field("placement", placement?.rawValue)
        json.field("paywall", paywall?.rawValue)
        json.field("audience", audience?.rawValue)
        json.field("origin", origin)
        json.field("revision", revision)
        if let assignment {
            json.field("experiment", assignment.experiment.rawValue)
            json.field("variation", assignment.variation.rawValue)
        }
        json.field("variationId", variationId?.rawValue)
    }
}
