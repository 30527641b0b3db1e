// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire

/// What the SDK and the server have promised the person who holds a phone, as far as it can still be demanded.
///
/// What was accepted while nothing could be written may be lost by a kill: it counts only towards the most that may arrive.
struct Promises: Sendable {
    struct Claim: Hashable, Sendable {
        static let source = AttributionSource("appsflyer")

        /// No two claims name the same.
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
    /// One of them says that this installation was paid for.
    var isAttributedByOther = false
    /// The last value that was accepted for the attribute; nil where it cannot be known which value is the last.
    var sessions: Int?
    /// Counts what was tried, so that no value is promised twice.
    var lastNumber = 0
    /// The customer that the server has acknowledged: `.some(nil)`: no customer; nil: not known.
    var customer: String??
    /// When the person was last changed, or may have been: an answer of about that time may belong to either.
    var personChangedAt: Duration?
    var links = LinkPromises()
    var experiments = ExperimentPromises()

    /// Another provider's claim or a link may say where this person came from, before Apple does.
    var mayBeAttributedByOther: Bool { claims.contains { $0.status == .nonOrganic } || links.mayAttribute }
    /// Only Apple has said where the person came from.
    var isAppleAlone: Bool { claims.isEmpty && !links.mayAttribute }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// From here on it is another profile, or another store, that answers: what was promised before cannot be demanded of it.
    mutating func forgetProfile() {
        sessions = nil
        customer = nil
    }

    /// The lost store may have been the only place of what was acknowledged. What is on its way may reach the new one.
    mutating func forgetStore(at time: Duration) {
        let inbox = links
        forgetInstall()
        links = inbox
        links.forgetClicks()
        personChangedAt = time
    }

    /// The app's files are gone, and with them what had not left yet.
    mutating func forgetInstall() {
        forgetProfile()
        safeExposures = 0
        safeClaims = []
        isAttributedByOther = false
        links.forgetFiles()
    }
}
