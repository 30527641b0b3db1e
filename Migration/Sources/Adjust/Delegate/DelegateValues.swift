// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// The installation is known.
#if canImport(ObjectiveC)
@objc(ADJSessionSuccess) @objcMembers
#endif
public final class ADJSessionSuccess: NSObject {
    public var message: String?
    public var timestamp: String?
    /// The first generation's name of ``timestamp``.
    public var timeStamp: String? {
        get { timestamp }
        set { timestamp = newValue }
    }
    /// As ``Adjust/adid()``.
    public var adid: String?
    public var jsonResponse: [AnyHashable: Any]?

    override public init() {}

    convenience init(_ profile: Profile) {
        self.init()
        adid = profile.installID.rawValue
    }
}

extension ADJSessionSuccess: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = ADJSessionSuccess()
        (copy.message, copy.timestamp, copy.adid, copy.jsonResponse) = (message, timestamp, adid, jsonResponse)
        return copy
    }
}

/// Never given to a delegate: a request that fails is sent again later.
#if canImport(ObjectiveC)
@objc(ADJSessionFailure) @objcMembers
#endif
public final class ADJSessionFailure: NSObject {
    public var message: String?
    public var timestamp: String?
    /// The first generation's name of ``timestamp``.
    public var timeStamp: String? {
        get { timestamp }
        set { timestamp = newValue }
    }
    public var adid: String?
    public var willRetry = true
    public var jsonResponse: [AnyHashable: Any]?

    override public init() {}
}

extension ADJSessionFailure: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = ADJSessionFailure()
        (copy.message, copy.timestamp, copy.adid, copy.jsonResponse) = (message, timestamp, adid, jsonResponse)
        copy.willRetry = willRetry
        return copy
    }
}

/// Never given to a delegate: events are kept on the phone and sent in batches.
#if canImport(ObjectiveC)
@objc(ADJEventSuccess) @objcMembers
#endif
public final class ADJEventSuccess: NSObject {
    public var message: String?
    public var timestamp: String?
    /// The first generation's name of ``timestamp``.
    public var timeStamp: String? {
        get { timestamp }
        set { timestamp = newValue }
    }
    public var adid: String?
    public var eventToken: String?
    public var callbackId: String?
    public var jsonResponse: [AnyHashable: Any]?

    override public init() {}
}

/// Never given to a delegate: a request that fails is sent again later.
#if canImport(ObjectiveC)
@objc(ADJEventFailure) @objcMembers
#endif
public final class ADJEventFailure: NSObject {
    public var message: String?
    public var timestamp: String?
    /// The first generation's name of ``timestamp``.
    public var timeStamp: String? {
        get { timestamp }
        set { timestamp = newValue }
    }
    public var adid: String?
    public var eventToken: String?
    public var callbackId: String?
    public var willRetry = true
    public var jsonResponse: [AnyHashable: Any]?

    override public init() {}
}

/// Never given to a delegate: a Landfall server triggers nothing in the app.
#if canImport(ObjectiveC)
@objc(ADJRemoteTrigger) @objcMembers
#endif
public final class ADJRemoteTrigger: NSObject {
    public let label: String
    public let payload: [String: Any]

    public init(label: String, payload: [String: Any]) {
        self.label = label
        self.payload = payload
    }
}

// The values cannot be changed, so that a copy is the object itself.
extension ADJRemoteTrigger: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
