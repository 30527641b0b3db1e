// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension ADJAttribution {
    enum Name: String, CaseIterable {
        case trackerToken, trackerName, network, campaign, adgroup, creative, clickLabel, adid

        /// The keys as servers write them.
        var inJSON: String {
            switch self {
            case .trackerToken: "tracker_token"
            case .trackerName: "tracker_name"
            case .clickLabel: "click_label"
            default: rawValue
            }
        }
    }

    private func value(_ name: Name) -> String? {
        switch name {
        case .trackerToken: trackerToken
        case .trackerName: trackerName
        case .network: network
        case .campaign: campaign
        case .adgroup: adgroup
        case .creative: creative
        case .clickLabel: clickLabel
        case .adid: adid
        }
    }

    /// The known values by the names of the properties: what an app passes on to another SDK. Never nil; optional, because code
    /// that exists unwraps it.
    public func dictionary() -> [AnyHashable: Any]? { values { $0.rawValue } }

    /// The known values by the names that servers use (`tracker_token`). Never nil, as ``dictionary()``.
    public var jsonResponse: [AnyHashable: Any]? { values { $0.inJSON } }

    private func values(_ key: (Name) -> String) -> [AnyHashable: Any] {
        var values: [AnyHashable: Any] = [:]
        for name in Name.allCases { values[key(name)] = value(name) }
        return values
    }

    #if canImport(ObjectiveC)
    @objc(isEqualToAttribution:)
    #endif
    public func isEqual(to attribution: ADJAttribution?) -> Bool { isEqual(attribution) }
}

// The values cannot be changed, so that a copy is the object itself.
extension ADJAttribution: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension ADJAttribution: NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        for name in Name.allCases {
            if let value = value(name) { coder.encode(NSString(string: value), forKey: name.rawValue) }
        }
    }
}
