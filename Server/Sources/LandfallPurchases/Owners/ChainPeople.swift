// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What the store knows of those who claim a chain of purchases.
package protocol ChainPeople {
    /// Whether the profile has no customer id.
    func isAnonymous(_ profile: ProfileID) throws -> Bool
    /// Whether the install showed the profile before it showed another one.
    func hasLeft(_ profile: ProfileID, _ install: InstallID) throws -> Bool
    /// Whether the token in the chain's newest transaction is the profile's.
    func isNamed(_ profile: ProfileID) throws -> Bool
}
