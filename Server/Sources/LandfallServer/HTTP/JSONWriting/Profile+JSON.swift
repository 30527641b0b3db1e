// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension ProfileAnswer: JSONWritable {
    func write(to json: inout JSONWriter) { Self.write(attribution, to: &json) { profile.write(to: &$0) } }

    /// - Parameter profile: writes the profile, or its rendered bytes.
    static func write(_ attribution: Attribution, to json: inout JSONWriter, profile: (inout JSONWriter) -> Void) {
        json.beginObject()
        json.key("attribution")
        attribution.write(to: &json)
        json.key("profile")
        profile(&json)
        json.endObject()
    }
}

extension WireProfile: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        writeBeforeTime(to: &json)
        json.field("asOfMilliseconds", asOfMilliseconds)
        writeAfterTime(to: &json)
        json.endObject()
    }

    /// The profile without its time, and where in the bytes that goes. So bytes are kept although each answer has another time.
    func timelessJSON() -> (bytes: [UInt8], place: Int) {
        var json = JSONWriter()
        json.beginObject()
        writeBeforeTime(to: &json)
        let place = json.bytes.count
        writeAfterTime(to: &json)
        json.endObject()
        return (json.bytes, place)
    }

    private func writeLevels(to json: inout JSONWriter) {
        if let accessLevels {
            json.key("accessLevels")
            json.beginObject()
            for (name, level) in accessLevels.sorted(by: JSONWriter.isBefore) {
                json.key(text: name)
                level.write(to: &json)
            }
            json.endObject()
        }
    }

    private func writeBeforeTime(to json: inout JSONWriter) {
        writeLevels(to: &json)
        json.key("appliedAttributionSources")
        json.beginList()
        for source in appliedAttributionSources {
            json.element()
            json.string(source.rawValue)
        }
        json.endList()
    }

    private func writeAfterTime(to json: inout JSONWriter) {
        json.field("attributionVersion", attributionVersion)
        json.key("customAttributes")
        customAttributes.write(to: &json)
        json.field("customerId", customerId)
        if let engagement {
            json.key("engagement")
            engagement.write(to: &json)
        }
        json.field("epoch", epoch)
        json.field("id", id.rawValue)
        json.field("installId", installId.rawValue)
        json.field("isReinstall", isReinstall)
        Self.write(oneTimePurchases, as: "oneTimePurchases", to: &json)
        json.field("purchaseToken", purchaseToken)
        if let purchasesKnown { json.field("purchasesKnown", purchasesKnown) }
        Self.write(subscriptions, as: "subscriptions", to: &json)
        json.field("version", version)
    }

    /// What the profile may use, alone.
    func writeAccess(to json: inout JSONWriter) {
        json.beginObject()
        writeLevels(to: &json)
        Self.write(oneTimePurchases, as: "oneTimePurchases", to: &json)
        Self.write(subscriptions, as: "subscriptions", to: &json)
        json.endObject()
    }

    private static func write(_ values: [some JSONWritable]?, as name: StaticString, to json: inout JSONWriter) {
        guard let values else { return }
        json.key(name)
        json.beginList()
        for value in values {
            json.element()
            value.write(to: &json)
        }
        json.endList()
    }
}

extension [String: AttributeValue] {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        for (name, value) in sorted(by: JSONWriter.isBefore) {
            json.key(text: name)
            switch value {
            case .string(let text): json.string(text)
            case .number(let number): json.number(number)
            case .bool(let flag): json.flag(flag)
            }
        }
        json.endObject()
    }
}

extension Attribution: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        switch self {
        case .pending(let nextAnswerNotBefore):
            json.field("nextAnswerNotBefore", nextAnswerNotBefore)
            json.field("state", "pending")
        case .attributed(let details): details.writeFields(to: &json, state: "attributed")
        case .notAttributed: json.field("state", "notAttributed")
        case .unavailable(let reason):
            json.field("reason", reason.rawValue)
            json.field("state", "unavailable")
        }
        json.endObject()
    }
}

extension AttributionDetails: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        writeFields(to: &json, state: nil)
        json.endObject()
    }

    /// - Parameter state: the state of the attribution with these details; nil for details alone.
    fileprivate func writeFields(to json: inout JSONWriter, state: String?) {
        json.field("adGroup", adGroup)
        json.field("adSet", adSet)
        if let appleAds {
            json.key("appleAds")
            appleAds.write(to: &json)
        }
        json.field("attributedAtMilliseconds", attributedAtMilliseconds)
        json.field("campaign", campaign)
        json.field("channel", channel)
        json.field("creative", creative)
        if let link {
            json.key("link")
            link.write(to: &json)
        }
        json.field("source", source.rawValue)
        json.field("state", state)
        json.field("test", test)
        json.field("verified", verified)
    }
}

extension AppleAdsAnswer: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("adGroupId", adGroupId)
        json.field("adId", adId)
        json.field("attribution", attribution)
        json.field("campaignId", campaignId)
        json.field("claimType", claimType)
        json.field("clickDate", clickDate)
        json.field("conversionType", conversionType)
        json.field("countryOrRegion", countryOrRegion)
        json.field("impressionDate", impressionDate)
        json.field("keywordId", keywordId)
        json.field("orgId", orgId)
        json.field("supplyPlacement", supplyPlacement)
        json.endObject()
    }
}

extension AttributedLink: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("clickedAtMilliseconds", clickedAtMilliseconds)
        json.field("code", code)
        json.field("isReattribution", isReattribution)
        json.field("label", label)
        json.field("tracker", tracker)
        json.endObject()
    }
}
