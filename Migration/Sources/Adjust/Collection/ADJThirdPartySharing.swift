// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The person's choice about third parties. Has no effect: Landfall passes nothing on. Reading gives the values that were set.
#if canImport(ObjectiveC)
@objc(ADJThirdPartySharing) @objcMembers
#endif
public final class ADJThirdPartySharing: NSObject {
    public let enabled: NSNumber?
    /// By partner, then by key: texts.
    public let granularOptions = NSMutableDictionary()
    /// By partner, then by key: flags.
    public let partnerSharingSettings = NSMutableDictionary()

    #if canImport(ObjectiveC)
    @objc(initWithIsEnabled:)
    #endif
    public init?(isEnabled: NSNumber?) { enabled = isEnabled }

    /// The first generation's name of ``init(isEnabled:)``.
    #if canImport(ObjectiveC)
    @objc(initWithIsEnabledNumberBool:)
    #endif
    public convenience init?(isEnabledNumberBool: NSNumber?) { self.init(isEnabled: isEnabledNumberBool) }

    #if canImport(ObjectiveC)
    @objc(addGranularOption:key:value:)
    #endif
    public func addGranularOption(_ partnerName: String, key: String, value: String) {
        Self.add(value, key, partnerName, to: granularOptions)
    }

    #if canImport(ObjectiveC)
    @objc(addPartnerSharingSetting:key:value:)
    #endif
    public func addPartnerSharingSetting(_ partnerName: String, key: String, value: Bool) {
        Self.add(value, key, partnerName, to: partnerSharingSettings)
    }

    private static func add(_ value: Any, _ key: String, _ partner: String, to all: NSMutableDictionary) {
        var ofPartner = all[partner] as? [String: Any] ?? [:]
        ofPartner[key] = value
        all[partner] = ofPartner
    }
}

/// Never given to a delegate: nothing is passed on to third parties.
#if canImport(ObjectiveC)
@objc(ADJThirdPartySharingResult) @objcMembers
#endif
public final class ADJThirdPartySharingResult: NSObject {
    public var thirdPartySharingSettingsJson = ""

    override public init() {}

    public init(thirdPartySharingSettings thirdPartySharingSettingsJson: String) {
        self.thirdPartySharingSettingsJson = thirdPartySharingSettingsJson
    }
}

extension ADJThirdPartySharingResult: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        ADJThirdPartySharingResult(thirdPartySharingSettings: thirdPartySharingSettingsJson)
    }
}
