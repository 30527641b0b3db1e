// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Gets attribution and deferred links. Every method is optional, and is called on the main thread; the protocol itself belongs
/// to no actor, so that a class of any isolation can conform. ``ADJConfig/delegate`` and ``Adjust/delegate`` hold it weakly.
///
/// Never called: the methods below that have no sentence here. The log says once which of them a delegate has, and why.
#if canImport(ObjectiveC)
@objc(AdjustDelegate)
@preconcurrency public protocol AdjustDelegate: NSObjectProtocol {
    /// Where the user came from: once for the known value when the delegate is set, then for each change.
    @objc(adjustAttributionChanged:) optional func adjustAttributionChanged(_ attribution: ADJAttribution?)

    /// The link that was tapped before the app was installed, once.
    /// - Returns: true: it is opened (``ADJConfig/opening``, ``Adjust/start(with:opening:)``). false: the app has dealt with it.
    @objc(adjustDeferredDeeplinkReceived:) optional func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool

    /// The first generation's name of ``adjustDeferredDeeplinkReceived(_:)``; called where that one is missing.
    @objc(adjustDeeplinkResponse:) optional func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool

    /// Once in a launch, as soon as the installation is known.
    @objc(adjustSessionTrackingSucceeded:) optional func adjustSessionTrackingSucceeded(_ session: ADJSessionSuccess?)

    @objc(adjustSessionTrackingFailed:) optional func adjustSessionTrackingFailed(_ session: ADJSessionFailure?)
    @objc(adjustEventTrackingSucceeded:) optional func adjustEventTrackingSucceeded(_ event: ADJEventSuccess?)
    @objc(adjustEventTrackingFailed:) optional func adjustEventTrackingFailed(_ event: ADJEventFailure?)
    @objc(adjustSkanUpdatedWithConversionData:) optional func adjustSkanUpdated(withConversionData data: [String: String])
    @objc(adjustConversionValueUpdated:) optional func adjustConversionValueUpdated(_ value: NSNumber?)
    @objc(adjustConversionValueUpdated:coarseValue:lockWindow:)
    optional func adjustConversionValueUpdated(_ value: NSNumber?, coarseValue: String?, lockWindow: NSNumber?)
    @objc(adjustRemoteTriggerReceived:) optional func adjustRemoteTriggerReceived(_ trigger: ADJRemoteTrigger)
    @objc(adjustThirdPartySharingSettingsChanged:)
    optional func adjustThirdPartySharingSettingsChanged(_ result: ADJThirdPartySharingResult?)
}
#else
@preconcurrency public protocol AdjustDelegate: NSObjectProtocol {
    func adjustAttributionChanged(_ attribution: ADJAttribution?)
    func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool
    func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool
    func adjustSessionTrackingSucceeded(_ session: ADJSessionSuccess?)
    func adjustSessionTrackingFailed(_ session: ADJSessionFailure?)
    func adjustEventTrackingSucceeded(_ event: ADJEventSuccess?)
    func adjustEventTrackingFailed(_ event: ADJEventFailure?)
    func adjustSkanUpdated(withConversionData data: [String: String])
    func adjustConversionValueUpdated(_ value: NSNumber?)
    func adjustConversionValueUpdated(_ value: NSNumber?, coarseValue: String?, lockWindow: NSNumber?)
    func adjustRemoteTriggerReceived(_ trigger: ADJRemoteTrigger)
    func adjustThirdPartySharingSettingsChanged(_ result: ADJThirdPartySharingResult?)
}

// The replacement for optional methods on platforms without Objective-C.
extension AdjustDelegate {
    public func adjustAttributionChanged(_ attribution: ADJAttribution?) {}
    public func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool { MissingMethods.current.note() }
    public func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool { MissingMethods.current.note() }
    public func adjustSessionTrackingSucceeded(_ session: ADJSessionSuccess?) {}
    public func adjustSessionTrackingFailed(_ session: ADJSessionFailure?) {}
    public func adjustEventTrackingSucceeded(_ event: ADJEventSuccess?) {}
    public func adjustEventTrackingFailed(_ event: ADJEventFailure?) {}
    public func adjustSkanUpdated(withConversionData data: [String: String]) {}
    public func adjustConversionValueUpdated(_ value: NSNumber?) {}
    public func adjustConversionValueUpdated(_ value: NSNumber?, coarseValue: String?, lockWindow: NSNumber?) {}
    public func adjustRemoteTriggerReceived(_ trigger: ADJRemoteTrigger) {}
    public func adjustThirdPartySharingSettingsChanged(_ result: ADJThirdPartySharingResult?) {}
}
#endif
