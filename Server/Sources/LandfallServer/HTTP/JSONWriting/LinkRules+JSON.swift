// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension WireLinkRules: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("brand")
        json.beginList()
        for domain in brand {
            json.element()
            json.beginObject()
            json.field("host", domain.host)
            json.key("paths")
            json.beginList()
            for path in domain.paths {
                json.element()
                json.string(path.rawValue)
            }
            json.endList()
            json.endObject()
        }
        json.endList()
        json.field("version", version)
        json.endObject()
    }
}
