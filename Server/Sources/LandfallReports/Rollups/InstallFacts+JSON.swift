// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// As `install_progress` keeps the facts. Installs of a day are grouped by this text, so equal facts must be equal texts.
extension InstallProgress.Facts: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("a")
        json.texts(acquisition)
        if let seenDays {
            json.key("d")
            json.beginList()
            for day in seenDays {
                json.element()
                json.integer(day)
            }
            json.endList()
        }
        json.key("f")
        json.beginObject()
        for (type, days) in firsts.sorted(by: JSONWriter.isBefore) {
            json.key(text: type)
            json.integer(days)
        }
        json.endObject()
        json.field("k", link)
        json.field("l", isLate)
        json.key("m")
        json.texts(market)
        json.field("o", origin.rawValue)
        if let isReinstall { json.field("r", isReinstall) }
        json.field("s", shownDays)
        json.field("t", isTest)
        if let isUnverified { json.field("u", isUnverified) }
        json.field("v", appVersion)
        json.endObject()
    }

    var text: String { String(decoding: json(), as: UTF8.self) }

    init(_ text: String) throws { self = try WireCoding.decode(Self.self, from: Data(text.utf8)) }
}

extension JSONWriter {
    fileprivate mutating func texts(_ texts: [String?]) {
        beginList()
        for text in texts {
            element()
            if let text { string(text) } else { null() }
        }
        endList()
    }
}
