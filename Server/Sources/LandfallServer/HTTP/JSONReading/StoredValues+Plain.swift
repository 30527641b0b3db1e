// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallWire

extension PlainlyReadable {
    /// Reads JSON that this server has written to the store: nearly always plain.
    package static func stored(_ text: String) throws -> Self {
        var text = text
        if let value = text.withUTF8({ plain(UnsafeRawBufferPointer($0)) }) { return value }
        return try WireCoding.decode(Self.self, from: Data(text.utf8))
    }
}

extension Dictionary: PlainlyReadable where Key == String, Value == AttributeValue {
    package init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var attributes: [String: AttributeValue] = [:]
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            let value: AttributeValue
            switch json.next {
            case UInt8(ascii: "\""): value = .string(try json.string())
            case UInt8(ascii: "t"), UInt8(ascii: "f"): value = .bool(try json.flag())
            default: value = .number(Double(try json.integer()))
            }
            guard attributes.updateValue(value, forKey: key) == nil else { throw PlainJSON.NotPlain() }
        }
        self = attributes
    }
}

extension AppleAdsAnswer: PlainlyReadable {
    package init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var answer = AppleAdsAnswer(attribution: false), attribution: Bool?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "attribution": try attribution.set(json.flag())
            case "orgId": try answer.orgId.set(json.integer())
            case "campaignId": try answer.campaignId.set(json.integer())
            case "conversionType": try answer.conversionType.set(json.string())
            case "claimType": try answer.claimType.set(json.string())
            case "adGroupId": try answer.adGroupId.set(json.integer())
            case "countryOrRegion": try answer.countryOrRegion.set(json.string())
            case "keywordId": try answer.keywordId.set(json.integer())
            case "adId": try answer.adId.set(json.integer())
            case "clickDate": try answer.clickDate.set(json.string())
            case "impressionDate": try answer.impressionDate.set(json.string())
            case "supplyPlacement": try answer.supplyPlacement.set(json.string())
            default: throw PlainJSON.NotPlain()
            }
        }
        guard let attribution else { throw PlainJSON.NotPlain() }
        answer.attribution = attribution
        self = answer
    }
}
