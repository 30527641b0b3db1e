// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Finds the app's link inside a wrapper: a link of an e-mail service or a shortener, whose server redirects to it.
#if canImport(ObjectiveC)
@objc(ADJLinkResolution) @objcMembers
#endif
public final class ADJLinkResolution: NSObject {
    override private init() {}

    /// - Parameters:
    ///   - resolveUrlSuffixArray: the hosts of wrappers. A host stands for itself and for its subdomains:
    ///     `go.link` is `go.link` and `brandname.go.link`, not `evilgo.link`. nil or empty: nothing is unwrapped.
    ///   - callback: called once, on the main thread, within 2.5 s, with the furthest link that was reached, at least `url`
    ///     itself. At most 10 redirects are followed, over https only. nil only if `url` is nil.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(resolveLinkWithUrl:resolveUrlSuffixArray:callback:)
    #endif
    public static func resolveLink(
        with url: URL?, resolveUrlSuffixArray: [String]?, callback: @escaping @MainActor (URL?) -> Void
    ) {
        Connection.current.unwrap(url, hosts: resolveUrlSuffixArray ?? [], callback)
    }

    /// As ``resolveLink(with:resolveUrlSuffixArray:callback:)``.
    @nonobjc @discardableResult
    public static func resolveLink(with url: URL?, resolveUrlSuffixArray: [String]?) async -> URL? {
        await withCheckedContinuation { done in
            resolveLink(with: url, resolveUrlSuffixArray: resolveUrlSuffixArray) { done.resume(returning: $0) }
        }
    }
}
