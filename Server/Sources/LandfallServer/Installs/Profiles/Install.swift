// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
package import LandfallRules
import LandfallStore
package import LandfallWire

/// One installation as the store knows it, with the person it belongs to now. A value: it does not follow later changes.
package struct Install: Hashable, Sendable {
    /// ``lastSeenAtMs`` is stored at most this often, except on another day.
    static let lastSeenPrecision: Int64 = 3_600_000

    package let id: InstallID
    var profileID: ProfileID
    /// The higher of the install's epoch and the store's: after a restore or a change of person, the server's values win over
    /// those that phones keep.
    var epoch: Int64
    /// Grows with changes of this install alone.
    var installVersion: Int64
    /// Grows with changes of the person, made on any of their installs.
    var profileVersion: Int64
    var attributionVersion: Int64
    var customerID: CustomerID?
    /// True if the team's backend verified the customer id.
    var customerIsVerified: Bool
    /// `installedAgeMilliseconds` is nil here: it is converted to ``installedAtMs``.
    package var device: DeviceFacts
    var attributes: [String: AttributeValue]
    /// What the person's purchases and grants open; nil if there never was one. It is changed by ``AccessUnit`` alone.
    var access: ProfileAccess?
    var isReinstall: Bool
    /// For a reinstall: the first install of this device.
    package var firstInstallID: InstallID?
    package let createdAtMs: Int64
    package var installedAtMs: Int64
    /// Precise to the hour, see ``isVisitNews(nowMs:)``. Nil if it was not read.
    package var lastSeenAtMs: Int64?
    package var facts: [AttributionFact]
    /// Empty if no fact depends on them.
    package var absences: [Absence] = []
    /// The newest exchange; nil if this install never sent a token.
    var exchange: AppleAdsExchange?
    /// The reason for the missing token that the phone reported last.
    var tokenNone: UnavailableReason?
    /// See ``isTokenComing(nowMs:)``.
    var tokenComingUntilMs: Int64?
    /// See ``isTokenCalledOff(after:)``.
    var tokenCalledOffAtMs: Int64?
    /// See ``arePurchasesComing(untilMs:nowMs:)``.
    var purchasesComingUntilMs: Int64?
    /// The install's stored assignments to experiments, see ``assignment(in:)``. Nil if they were not read.
    var assignments: [UnitAssignment]?
    /// False if the store could not tell whose device this is: then the unit in experiments is not known, and no experiment decides.
    var isUnitKnown = true

    /// The version that phones compare within an epoch: it grows with every visible change.
    var version: Int64 { installVersion + profileVersion }

    /// - Parameter tokens: of the store.
    func wireProfile(_ tokens: PurchaseTokens, nowMs: Int64) -> WireProfile {
        var profile = WireProfile(
            id: profileID, installId: id, epoch: epoch, version: version, attributionVersion: attributionVersion
        )
        profile.customerId = customerID?.rawValue
        profile.appliedAttributionSources = appliedSources
        profile.engagement = engagement
        profile.customAttributes = attributes
        profile.isReinstall = isReinstall
        profile.purchaseToken = tokens.token(of: profileID)
        profile.tell(access, nowMs: nowMs)
        return profile
    }
}

/// There are two kinds of profile ids, and an id of one kind never equals one of the other. Answers contain profile ids, so a
/// profile id must give no access: no install, whatever id it chose, starts with a profile that the server made for another
/// person.
extension ProfileID {
    /// The profile that an install starts with.
    static func first(of install: InstallID) -> ProfileID { ProfileID("i_" + install.rawValue) }

    /// The install that started with it; nil if the server made it.
    var firstOf: InstallID? { rawValue.hasPrefix("i_") ? InstallID(String(rawValue.dropFirst(2))) : nil }

    /// A profile that the server makes: after a log-out, and for another person on the same phone.
    static func fresh(nowMs: Int64) -> ProfileID { ProfileID("s_" + UUIDv7.make(nowMs: nowMs)) }
}
