// SPDX-License-Identifier: Apache-2.0
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Landfall

// Forwards the calls of AppKit's application delegate.
extension LandfallClient {
    /// For `application(_:continue:restorationHandler:)`: a universal link.
    /// - Returns: false for an activity without a link, and for a link that `receive(_:scene:)` does not accept.
    @discardableResult
    public func receive(_ userActivity: NSUserActivity) -> Bool {
        guard userActivity.activityType == NSUserActivityTypeBrowsingWeb, let link = userActivity.webpageURL else {
            return false
        }
        return receive(link)
    }

    /// For `application(_:open:)`: links of an app scheme, and files.
    /// - Returns: the URLs that `receive(_:scene:)` does not accept, for the app to open.
    public func receive(_ urls: [URL]) -> [URL] { urls.filter { !receive($0) } }
}
#endif
