// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire

/// What the SDK and the server have promised the person who holds a phone, as far as it can still be checked.
///
/// Things that were accepted while nothing could be written may be lost by a kill: they count only for the most that may arrive.
struct Promises: Sendable {
    struct Claim: Hashable, Sendable {
        static let source = AttributionSource("appsflyer")

        /// Each claim has a campaign of its own.
        let campaign: String
        let status: AttributionStatus
    }

    /// Exposures that were ever counted: no more may arrive.
    var exposures = 0
    /// Exposures that must arrive.
    var safeExposures = 0
    /// Claims that were ever accepted: each arrives at most once for an installation.
    var claims: Set<Claim> = []
    /// Claims that must arrive.
    var safeClaims: Set<Claim> = []
    /// True if one of them says that this installation was paid for.
    var isAttributedByOther = false
    /// The last value that was accepted for the attribute; nil if it is not known which value is the last.
    var sessions: Int?
    /// Counts the attempts, so that no value is promised twice.
    var lastNumber = 0
    /// The customer that the server has acknowledged: `.some(nil)`: no customer; nil: not known.
    var customer: String??
    /// When the person was last changed, or may have been: an answer of about that time may belong to either.
    var personChangedAt: Duration?
    var links = LinkPromises()
    var experiments = ExperimentPromises()
    /// What the SDK may collect, if that is stored for certain.
    var collection: CollectionMode?

    /// Another provider's claim or a link may say where this person came from, before Apple does.
    var mayBeAttributedByOther: Bool { claims.contains { $0.status == .nonOrganic } || links.mayAttribute }
    /// Only Apple has said where the person came from.
    var isAppleAlone: Bool { claims.isEmpty && !links.mayAttribute }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// From here on another profile, or another store, answers: it does not have to keep the earlier promises.
    mutating func forgetProfile() {
        sessions = nil
        customer = nil
    }

    /// Acknowledged things may have been in the lost store only. Things that are on their way may reach the new one.
    mutating func forgetStore(at time: Duration) {
        let inbox = links
        forgetInstall()
        links = inbox
        links.forgetClicks()
        personChangedAt = time
    }

    /// The app's files are gone, and with them everything that was not sent yet.
    mutating func forgetInstall() {
        forgetProfile()
        safeExposures = 0
        safeClaims = []
        isAttributedByOther = false
        links.forgetFiles()
    }
}
