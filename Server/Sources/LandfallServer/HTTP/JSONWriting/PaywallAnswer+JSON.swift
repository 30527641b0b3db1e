// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension PaywallAnswer: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        writeFields(to: &json, paywall: nil)
        json.endObject()
    }

    /// - Parameter rendered: the JSON of the paywall, if it was rendered before.
    func writeFields(to json: inout JSONWriter, paywall rendered: [UInt8]?) {
        if let assignment {
            json.key("assignment")
            assignment.write(to: &json)
        }
        if let attribution {
            json.key("attribution")
            attribution.write(to: &json)
        }
        json.field("attributionVersion", attributionVersion)
        json.field("audience", audience.rawValue)
        json.field("epoch", epoch)
        json.field("final", final)
        json.field("kind", kind.rawValue)
        if let linkRules {
            json.key("linkRules")
            linkRules.write(to: &json)
        }
        json.field("locale", locale)
        if let paywall {
            json.key("paywall")
            if let rendered { json.json(rendered) } else { paywall.write(to: &json) }
        } else {
            json.field("nothing", true)
        }
        if !pending.isEmpty {
            json.key("pending")
            json.beginList()
            for kind in pending {
                json.element()
                json.string(kind.rawValue)
            }
            json.endList()
        }
        json.field("placement", placement.rawValue)
        json.field("profileId", profileId?.rawValue)
        json.field("profileVersion", profileVersion)
        json.field("revision", revision)
        json.field("testDevice", testDevice)
    }
}

extension Assignment: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("bucket", bucket)
        json.field("epoch", epoch)
        json.field("experiment", experiment.rawValue)
        json.field("variation", variation.rawValue)
        json.endObject()
    }
}
