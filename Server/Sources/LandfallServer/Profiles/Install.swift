// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// One installation as the store knows it, with the person it belongs to now. A value: it does not follow later changes.
struct Install: Hashable, Sendable {
    /// An open that brings nothing new moves ``lastSeenAtMs`` at most so often: as fine as anybody asks.
    static let lastSeenPrecision: Int64 = 3_600_000

    let id: InstallID
    var profileID: ProfileID
    /// The higher of the install's own and the store's: both a restored server and a changed person win over what phones keep.
    var epoch: Int64
    /// Grows with changes of this install alone.
    var installVersion: Int64
    /// Grows with changes of the person, whichever of their installs made them.
    var profileVersion: Int64
    var attributionVersion: Int64
    var customerID: CustomerID?
    /// True where the team's backend vouched for the customer id.
    var customerIsVerified: Bool
    /// `installedAgeMilliseconds` is nil here: it became ``installedAtMs``.
    var device: DeviceFacts
    var attributes: [String: AttributeValue]
    var isReinstall: Bool
    /// On a reinstall, the first install of this device.
    var firstInstallID: InstallID?
    let createdAtMs: Int64
    var installedAtMs: Int64
    /// To the hour, see ``lastSeenPrecision``.
    var lastSeenAtMs: Int64
    var facts: [AttributionFact]
    /// Empty where no fact depends on them.
    var absences: [Absence] = []
    /// The newest one; nil where this install has never sent a token.
    var exchange: AppleAdsExchange?
    /// Why the phone has no token, as it last said.
    var tokenNone: UnavailableReason?

    /// What phones compare within an epoch: grows with every visible change.
    var version: Int64 { installVersion + profileVersion }

    var wireProfile: WireProfile {
        var profile = WireProfile(
            id: profileID, installId: id, epoch: epoch, version: version, attributionVersion: attributionVersion
        )
        profile.customerId = customerID?.rawValue
        profile.appliedAttributionSources = appliedSources
        profile.engagement = engagement
        profile.customAttributes = attributes
        profile.isReinstall = isReinstall
        return profile
    }
}

/// There are two kinds of profiles, and their ids can never be equal. Answers carry profile ids, so an id must open nothing:
/// no install, whatever id it chose for itself, starts with a profile that the server made for somebody.
extension ProfileID {
    /// The profile that an install starts with.
    static func first(of install: InstallID) -> ProfileID { ProfileID("i_" + install.rawValue) }

    /// One that the server makes: after a log-out, and for another person on the same phone.
    static func fresh(nowMs: Int64) -> ProfileID { ProfileID("s_" + UUIDv7.make(nowMs: nowMs)) }
}
