// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension Install {
    var webhookSubject: WebhookFact.Subject { .init(profile: profileID, install: id) }

    /// Everything that a body says of an install: its phone, its profile, its customer, and where it came from.
    func writeWebhookFields(to json: inout JSONWriter, nowMs: Int64) {
        json.field("profileId", profileID.rawValue)
        json.field("installId", id.rawValue)
        if let customerID {
            json.field("customerId", customerID.rawValue)
            json.field("customerIsVerified", customerIsVerified)
        }
        json.key("attributes")
        attributes.write(to: &json)
        json.key("attribution")
        attribution(nowMs: nowMs).write(to: &json)
        if let engagement {
            json.key("engagement")
            engagement.write(to: &json)
        }
        json.key("install")
        json.beginObject()
        json.field("appVersion", device.appVersion)
        json.field("osVersion", device.osVersion)
        json.field("platform", device.platform)
        json.field("model", device.model)
        json.field("locale", device.locale)
        json.field("storeCountry", device.storeCountry)
        json.field("timeZone", device.timeZone)
        json.field("firstOpenAtMilliseconds", firstOpenAtMs)
        json.field("isReinstall", isReinstall)
        json.endObject()
    }
}

extension InstallRecord {
    /// What endpoints are told of this transaction.
    /// - Parameter isDecided: the attribution has an answer that it did not have.
    func webhookFacts(isDecided: Bool) -> [WebhookFact] {
        guard let note = unit.webhook else { return [] }
        var facts: [WebhookFact] = []
        func add(_ type: WebhookType, atMs: Int64? = nil, _ more: (inout JSONWriter) -> Void = { _ in }) {
            guard note.wants(type) else { return }
            facts.append(
                WebhookFact(type, atMs: atMs ?? unit.nowMs, of: install.webhookSubject) { json in
                    install.writeWebhookFields(to: &json, nowMs: unit.nowMs)
                    more(&json)
                })
        }
        if isNew { add(.firstOpen) }
        for link in openedLinks {
            add(.linkOpened, atMs: unit.nowMs - link.ageMilliseconds) { json in
                json.key("link")
                link.click.write(to: &json)
            }
        }
        if isDecided { add(.attributionDecided) }
        for assignment in newAssignments {
            add(.experimentAssigned) { assignment.writeWebhookFields(to: &$0) }
        }
        return facts
    }
}

extension InAppClick {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("host", host)
        json.field("path", path)
        json.field("code", code)
        json.field("outcome", outcome.rawValue)
        labels.writeWebhookFields(to: &json)
        parameters.writeWebhookField(to: &json)
        json.endObject()
    }
}

extension LinkLabels {
    func writeWebhookFields(to json: inout JSONWriter) {
        json.field("tracker", tracker)
        json.field("campaign", campaign)
        json.field("adGroup", adGroup)
        json.field("creative", creative)
        json.field("label", label)
        json.field("channel", channel)
        json.field("keyword", keyword)
    }
}

extension [String: String] {
    func writeWebhookField(to json: inout JSONWriter) {
        guard !isEmpty else { return }
        json.key("parameters")
        json.beginObject()
        for (name, value) in sorted(by: JSONWriter.isBefore) {
            json.key(text: name)
            json.string(value)
        }
        json.endObject()
    }
}
