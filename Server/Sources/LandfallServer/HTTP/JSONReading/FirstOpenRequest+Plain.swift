// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension FirstOpenRequest: PlainlyReadable {
    /// The form that phones send. Waiting links and attribute changes are rare, so `Codable` reads them.
    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var device: DeviceFacts?, adToken: AdToken?, deferred: DeferredLinkRequest?, placements: [Wanted]?
        var attributes: [String: AttributeValue]?, holdMilliseconds: Int64?, links: Bool?, changes: Bool?
        var purchases: String?, assignments: [Assignment]?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "device": try device.set(DeviceFacts(plain: &json))
            case "adToken": try adToken.set(AdToken(plain: &json))
            case "purchases": try purchases.set(json.string())
            case "deferred": try deferred.set(DeferredLinkRequest(plain: &json))
            case "placements": try placements.set(Self.placements(&json))
            case "attributes": try attributes.set([String: AttributeValue](plain: &json))
            case "assignments": try assignments.set(Assignment.list(plain: &json))
            case "holdMilliseconds": try holdMilliseconds.set(json.integer())
            case "links":
                try links.set(true)
                try json.list { _ throws(PlainJSON.NotPlain) in throw PlainJSON.NotPlain() }
            case "attributeChanges":
                try changes.set(true)
                try json.list { _ throws(PlainJSON.NotPlain) in throw PlainJSON.NotPlain() }
            default: throw PlainJSON.NotPlain()
            }
        }
        self.init(
            device: device ?? DeviceFacts(), adToken: adToken ?? .none(.noToken),
            purchases: purchases.map { PurchaseNews($0) } ?? .none, deferred: deferred, placements: placements ?? [],
            attributes: attributes ?? [:], assignments: assignments, holdMilliseconds: holdMilliseconds ?? 0
        )
    }

    private static func placements(_ json: inout PlainJSON) throws(PlainJSON.NotPlain) -> [Wanted] {
        var wanted: [Wanted] = []
        try json.list { json throws(PlainJSON.NotPlain) in
            var id: String?, locale: String?
            try json.object { (json, key) throws(PlainJSON.NotPlain) in
                switch key {
                case "id": try id.set(json.string())
                case "locale": try locale.set(json.string())
                default: throw PlainJSON.NotPlain()
                }
            }
            guard let id else { throw PlainJSON.NotPlain() }
            wanted.append(Wanted(id: PlacementID(id), locale: locale))
        }
        return wanted
    }
}

extension DeviceFacts {
    fileprivate init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var facts = DeviceFacts()
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "appVersion": try facts.appVersion.set(json.string())
            case "osVersion": try facts.osVersion.set(json.string())
            case "platform": try facts.platform.set(json.string())
            case "model": try facts.model.set(json.string())
            case "locale": try facts.locale.set(json.string())
            case "storeCountry": try facts.storeCountry.set(json.string())
            case "timeZone": try facts.timeZone.set(json.string())
            case "deviceId": try facts.deviceId.set(json.string())
            case "installedAgeMilliseconds": try facts.installedAgeMilliseconds.set(json.integer())
            default: throw PlainJSON.NotPlain()
            }
        }
        self = facts
    }
}

extension AdToken {
    /// One word, or an object with one field.
    fileprivate init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        if json.next == UInt8(ascii: "\"") {
            guard try json.string() == "coming" else { throw PlainJSON.NotPlain() }
            self = .coming
            return
        }
        var token: AdToken?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "value": try token.set(.value(json.string()))
            case "none": try token.set(.none(UnavailableReason(json.string())))
            default: throw PlainJSON.NotPlain()
            }
        }
        guard let token else { throw PlainJSON.NotPlain() }
        self = token
    }
}

extension DeferredLinkRequest {
    fileprivate init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var token: String?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            guard key == "token" else { throw PlainJSON.NotPlain() }
            try token.set(json.string())
        }
        self.init(token: token)
    }
}
