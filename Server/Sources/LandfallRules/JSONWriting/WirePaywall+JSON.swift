// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension WirePaywall: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name.rawValue)
        json.key("productIds")
        json.beginList()
        for product in productIds {
            json.element()
            json.string(product)
        }
        json.endList()
        if let remoteConfig {
            json.key("remoteConfig")
            json.beginObject()
            json.field("locale", remoteConfig.locale)
            json.key("value")
            remoteConfig.value.write(to: &json)
            json.endObject()
        }
        json.field("variationId", variationId.rawValue)
        json.endObject()
    }
}

extension JSONValue: JSONWritable {
    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.flag(value)
        case .integer(let value): json.integer(value)
        case .number(let value): json.number(value)
        case .string(let value): json.string(value)
        case .array(let elements):
            json.beginList()
            for element in elements {
                json.element()
                element.write(to: &json)
            }
            json.endList()
        case .object(let fields):
            json.beginObject()
            for (name, value) in fields.sorted(by: JSONWriter.isBefore) {
                json.key(text: name)
                value.write(to: &json)
            }
            json.endObject()
        }
    }
}
