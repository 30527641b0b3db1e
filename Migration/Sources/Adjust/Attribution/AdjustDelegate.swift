// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Gets attribution and deferred links, on the main thread. ``Adjust/delegate`` holds it weakly. Both methods are optional.
#if canImport(ObjectiveC)
@objc(AdjustDelegate)
@MainActor public protocol AdjustDelegate: NSObjectProtocol, Sendable {
    /// Where the user came from: once for the known value when the delegate is set, then for each change.
    @objc(adjustAttributionChanged:) optional func adjustAttributionChanged(_ attribution: ADJAttribution?)

    /// The link that was tapped before the app was installed, once.
    /// - Returns: true: it is opened as ``Adjust/start(with:opening:)`` was told. false: the app has dealt with it.
    @objc(adjustDeferredDeeplinkReceived:) optional func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool
}
#else
@MainActor public protocol AdjustDelegate: NSObjectProtocol, Sendable {
    func adjustAttributionChanged(_ attribution: ADJAttribution?)
    func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool
}

extension AdjustDelegate {
    public func adjustAttributionChanged(_ attribution: ADJAttribution?) {}
    public func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool { true }
}
#endif

extension AdjustDelegate {
    func hear(_ attribution: ADJAttribution) {
        #if canImport(ObjectiveC)
        adjustAttributionChanged?(attribution)
        #else
        adjustAttributionChanged(attribution)
        #endif
    }

    /// Without it the link stays in the client's inbox.
    var hearsDeferredLinks: Bool {
        #if canImport(ObjectiveC)
        responds(to: #selector(AdjustDelegate.adjustDeferredDeeplinkReceived(_:)))
        #else
        true
        #endif
    }

    /// - Returns: whether the link is to be opened.
    func hear(_ link: URL) -> Bool {
        #if canImport(ObjectiveC)
        adjustDeferredDeeplinkReceived?(link) ?? true
        #else
        adjustDeferredDeeplinkReceived(link)
        #endif
    }
}
