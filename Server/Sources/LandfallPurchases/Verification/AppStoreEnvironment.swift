// SPDX-License-Identifier: Apache-2.0

/// Where a purchase was made. One id in two environments is two different things.
package enum AppStoreEnvironment: String, CaseIterable, Hashable, Sendable, Codable, Comparable {
    case production = "Production"
    /// TestFlight, App Review and sandbox accounts.
    case sandbox = "Sandbox"
    /// StoreKit testing on a developer's machine, signed by that machine.
    case xcode = "Xcode"
    case localTesting = "LocalTesting"

    /// Signed by the machine on which the app was built, so by nobody.
    package var isSelfSigned: Bool { self == .xcode || self == .localTesting }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
