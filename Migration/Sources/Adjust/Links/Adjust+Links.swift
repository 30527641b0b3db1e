// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Adjust {
    /// Records the click, resolves a short link, passes any other link through.
    /// - Parameter completionHandler: called once, on the main thread, within 2.5 s, whatever happens: with the resolved link,
    ///   or with the link as it came if it is not one of the app's short links, is not valid, cannot be resolved now, or
    ///   collection is off.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(processDeeplink:completionHandler:)
    #endif
    public static func processDeeplink(_ deeplink: URL, completionHandler: @escaping @MainActor (String) -> Void) {
        Connection.current.process(deeplink, completionHandler)
    }

    @nonobjc @discardableResult
    public static func processDeeplink(_ deeplink: URL) async -> String {
        await withCheckedContinuation { done in processDeeplink(deeplink) { done.resume(returning: $0) } }
    }

    /// As ``processDeeplink(_:completionHandler:)``. The link is never nil; it is optional, because code that exists unwraps it.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(processAndResolveDeeplink:withCompletionHandler:)
    #endif
    public static func processAndResolve(
        _ deeplink: ADJDeeplink, withCompletionHandler completion: @escaping @MainActor (String?) -> Void
    ) {
        Connection.current.process(deeplink.deeplink) { completion($0) }
    }

    @nonobjc @discardableResult
    public static func processAndResolve(_ deeplink: ADJDeeplink) async -> String? {
        await withCheckedContinuation { done in processAndResolve(deeplink) { done.resume(returning: $0) } }
    }

    /// Records the click, and nothing else.
    #if canImport(ObjectiveC)
    @objc(processDeeplink:)
    #endif
    public static func processDeeplink(_ deeplink: ADJDeeplink) { Connection.current.record(deeplink.deeplink) }

    /// Records the click, and nothing else.
    #if canImport(ObjectiveC)
    @objc(appWillOpenUrl:)
    #endif
    public static func appWillOpen(_ url: URL) { Connection.current.record(url) }

    /// The last link that this process was given; nil before the first.
    #if canImport(ObjectiveC)
    @objc(lastDeeplink)
    #endif
    public static func lastDeeplink() -> URL? { Connection.current.lastLink }

    /// As ``lastDeeplink()``, on the main thread.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(lastDeeplinkWithCompletionHandler:)
    #endif
    public static func lastDeeplink(completionHandler: @escaping @MainActor (URL?) -> Void) {
        let link = lastDeeplink()
        Task { await completionHandler(link) }
    }

    /// The app-scheme form of a branded or universal link, with its path, query and fragment as they are written, without what
    /// measures the click: `https://abcd.ulink.adjust.com/ulink/path/?key=foo` is `example://path/?key=foo`.
    /// - Parameter scheme: without `://`, for example `example`.
    /// - Returns: nil if it is neither a link of the app nor one on a host that Adjust gives to apps (`….adj.st`,
    ///   `….ulink.adjust.com/ulink`), or the text is not a scheme.
    #if canImport(ObjectiveC)
    @objc(convertUniversalLink:scheme:)
    #endif
    public static func convertUniversalLink(_ url: URL, scheme: String) -> URL? {
        Connection.current.converted(url, scheme: scheme)
    }

    /// As ``convertUniversalLink(_:scheme:)``.
    #if canImport(ObjectiveC)
    @objc(convertUniversalLink:withScheme:)
    #endif
    public static func convertUniversalLink(_ url: URL, withScheme scheme: String) -> URL? {
        convertUniversalLink(url, scheme: scheme)
    }
}
