// SPDX-License-Identifier: Apache-2.0
//
// The part of Apple's StoreKit that LandfallApple uses, declared as Swift imports Apple's framework, so that the adapter
// compiles and runs without Apple's SDK. Difference from Apple's: a script answers in place of the App Store.
internal import Foundation

public struct Storefront: Hashable, Sendable {
    public let countryCode: String

    /// Not in Apple's module.
    public init(countryCode: String) { self.countryCode = countryCode }

    public static var current: Storefront? {
        get async { await StorefrontScript.current() }
    }
}

/// Not in Apple's module: what ``Storefront/current`` answers. It may suspend for ever.
public enum StorefrontScript {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var script: @Sendable () async -> Storefront? = { nil }

    /// Guarded by `lock`.
    public static var current: @Sendable () async -> Storefront? {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }
}
