// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension FirstOpenLine: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        switch self {
        case .profile(let profile):
            json.key("profile")
            profile.write(to: &json)
            json.field("type", "profile")
        case .unstored(let profile):
            json.key("profile")
            profile.write(to: &json)
            json.key("stored")
            json.flag(false)
            json.field("type", "profile")
        case .attribution(let attribution):
            json.key("attribution")
            attribution.write(to: &json)
            json.field("type", "attribution")
        case .paywall(let answer):
            answer.writeFields(to: &json, paywall: nil)
            json.field("type", "paywall")
        case .problem(let problem):
            json.field("code", problem.code.rawValue)
            json.field("message", problem.message)
            json.field("placement", problem.placement.rawValue)
            json.field("type", "problem")
        case .deferred(let answer):
            json.key("deferred")
            answer.write(to: &json)
            json.field("type", "deferred")
        case .linkRules(let rules):
            json.key("linkRules")
            rules.write(to: &json)
            json.field("type", "linkRules")
        case .end(let reason):
            json.field("reason", reason.rawValue)
            json.field("type", "end")
        case .unknown(let type): json.field("type", type)
        }
        json.endObject()
    }
}

extension DeferredLinkAnswer: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        switch self {
        case .pending: json.field("state", "pending")
        case .none: json.field("state", "none")
        case .link(let link):
            json.key("link")
            json.beginObject()
            json.field("ageMilliseconds", link.ageMilliseconds)
            json.field("matchedBy", link.matchedBy.rawValue)
            json.field("original", link.original)
            json.field("resolved", link.resolved)
            json.endObject()
            json.field("state", "link")
        }
        json.endObject()
    }
}

extension ErrorBody: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("error")
        json.beginObject()
        json.field("code", error.code.rawValue)
        json.field("message", error.message)
        json.field("requestId", error.requestId)
        json.endObject()
        json.endObject()
    }
}

extension EventBatchAnswer: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("results")
        json.beginList()
        for result in results {
            json.element()
            json.beginObject()
            json.field("code", result.code?.rawValue)
            json.field("id", result.id)
            json.field("status", result.status.rawValue)
            json.endObject()
        }
        json.endList()
        json.endObject()
    }
}
