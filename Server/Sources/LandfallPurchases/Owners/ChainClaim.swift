// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A phone says that a chain of purchases is its person's.
package struct ChainClaim: Hashable, Sendable {
    package let profile: ProfileID
    /// By which the profile says it.
    package let install: InstallID
    /// The person has just bought or restored; false if the app only reports what StoreKit has.
    package let isExplicit: Bool

    package init(profile: ProfileID, install: InstallID, isExplicit: Bool) {
        self.profile = profile
        self.install = install
        self.isExplicit = isExplicit
    }
}
