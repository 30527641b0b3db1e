// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallWire
import Synchronization

/// An install as the store had it, with the values that answers about it derive again and again.
package final class KnownInstall: Sendable {
    let app: AppID
    let install: Install
    private let secretHash: SecretHash?
    private let made = Mutex(Made())

    /// Derived values, made when first needed.
    private struct Made {
        var facts: FactValues?
        /// The revision of the configuration that named the test devices.
        var revision: Int64 = 0
        /// At that time another click may become the latest that counts, or something of the person's access begins or ends.
        var factsEndAtMs = Int64.max
        /// Without its time, see ``WireProfile/timelessJSON()``.
        var profile: (bytes: [UInt8], place: Int)?
        /// At that time something of the person's access begins or ends.
        var profileEndsAtMs = Int64.max
        /// What each experiment does with the install, by the experiment's index.
        var outcomes: [ExperimentOutcome?] = []
        /// The revision of the configuration that has these experiments.
        var outcomesRevision: Int64 = 0
    }

    init(_ app: AppID, _ stored: StoredInstall) {
        self.app = app
        install = stored.install
        secretHash = SecretHash(stored.secretHash)
    }

    /// True for the secret that created the install.
    func isProven(by hash: SecretHash) -> Bool { secretHash?.matches(hash) == true }

    /// What the audiences of this version compare.
    func facts(in snapshot: Snapshot, nowMs: Int64) -> AudienceFacts {
        made.withLock { made in
            if let facts = made.facts, nowMs < made.factsEndAtMs, made.revision == snapshot.revision {
                return AudienceFacts(facts, nowMs: nowMs)
            }
            let facts = snapshot.facts(of: install, only: snapshot.comparedValues, nowMs: nowMs)
            made.revision = snapshot.revision
            made.facts = facts.values
            made.factsEndAtMs = min(
                install.latestLink(nowMs: nowMs)?.countsUntilMs ?? .max, install.access?.nextChangeMs(after: nowMs) ?? .max)
            return facts
        }
    }

    /// What an experiment does with the install. A draw is made once for each version of the configuration.
    func outcome(of experiment: Experiment, in snapshot: Snapshot, isTestDevice: Bool) -> ExperimentOutcome {
        made.withLock { made in
            if made.outcomesRevision == snapshot.revision, made.outcomes.count == snapshot.epochs.count,
                let outcome = made.outcomes[experiment.index]
            {
                return outcome
            }
            if made.outcomesRevision != snapshot.revision || made.outcomes.count != snapshot.epochs.count {
                made.outcomes = Array(repeating: nil, count: snapshot.epochs.count)
                made.outcomesRevision = snapshot.revision
            }
            let outcome = snapshot.outcome(of: experiment, for: install, isTestDevice: isTestDevice)
            made.outcomes[experiment.index] = outcome
            return outcome
        }
    }

    /// Writes the profile as JSON, as it is now.
    func writeProfile(to json: inout JSONWriter, _ tokens: PurchaseTokens, nowMs: Int64) {
        let profile = made.withLock { made in
            if let profile = made.profile, nowMs < made.profileEndsAtMs { return profile }
            let profile = install.wireProfile(tokens, nowMs: nowMs).timelessJSON()
            made.profile = profile
            made.profileEndsAtMs = install.access?.nextChangeMs(after: nowMs) ?? .max
            return profile
        }
        json.json(profile.bytes[..<profile.place])
        json.field("asOfMilliseconds", nowMs)
        json.json(profile.bytes[profile.place...])
    }

    /// About how many bytes of memory this takes. It counts what callers can make large.
    var weight: Int {
        let attributes = install.attributes.reduce(0) { sum, attribute in
            guard case .string(let text) = attribute.value else { return sum + 64 }
            return sum + 64 + text.utf8.count
        }
        let customer = install.customerID?.rawValue.utf8.count ?? 0
        func size(_ text: String?) -> Int { text?.utf8.count ?? 0 }
        let facts = install.facts.reduce(0) { sum, fact in
            sum + 1_024 + size(fact.channel) + size(fact.campaign) + size(fact.adGroup) + size(fact.adSet) + size(fact.creative)
        }
        // Attributes and customer are also in the rendered profile. Measured: 2.0 kB after its profile was asked for, 2.8 kB after its
        // paywall was.
        let access = install.access.map { 512 * ($0.entries.count + $0.subscriptions.count + $0.singles.count) } ?? 0
        return 3_072 + access + 2 * (attributes + customer) + facts + install.absences.count * 16 + (install.assignments?.count ?? 0) * 256
    }
}
