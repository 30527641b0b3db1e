// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A link that reached the app, for the calls that take one.
#if canImport(ObjectiveC)
@objc(ADJDeeplink) @objcMembers
#endif
public final class ADJDeeplink: NSObject, @unchecked Sendable {
    // `@unchecked Sendable`: `lock` guards the one property that changes.
    public let deeplink: URL
    private let lock = NSLock()
    private var _referrer: URL?

    /// The referrer that the app set, else `about:blank`. It is kept, but Landfall's click does not need it.
    public var referrer: URL { lock.withLock { _referrer } ?? Self.noReferrer }
    private static let noReferrer = URL(string: "about:blank")!

    /// - Returns: never nil. Optional, because code that exists unwraps it.
    public init?(deeplink: URL) { self.deeplink = deeplink }

    public func setReferrer(_ referrer: URL) { lock.withLock { _referrer = referrer } }
}
