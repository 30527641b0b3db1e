// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Builds what the wire says of one placement from the configuration and an install.
struct PlacementAnswerBuilder {
    let snapshot: Snapshot

    /// The paywall of the audience that matches now, in the variation that its experiment gives.
    /// - Parameters:
    ///   - locale: nil shows the device's.
    ///   - facts: of the install.
    ///   - known: remembers draws, if the install is in memory.
    /// - Throws: ``UnknownPlacement``.
    func matching(
        _ placement: PlacementID, locale: LocaleCode?, install: Install, facts: AudienceFacts, pending: Pending,
        known: KnownInstall? = nil
    ) throws -> ShownPaywall {
        let locale = locale ?? facts.values.locale
        guard let place = snapshot.placements[placement] else { throw UnknownPlacement() }
        // What is shown depends on what is known now; whether it is final depends on what is still on its way.
        var decision = place.decide(locale: locale, facts: facts, pending: .nothing)
        var isFinal = pending.isEmpty || place.decide(locale: locale, facts: facts, pending: pending).isFinal
        let testDevice = snapshot.testDevices.device(install)
        if let testDevice, let chosen = place.choice(for: testDevice, instead: decision, locale: locale) {
            (decision, isFinal) = (chosen, true)
        }
        var storing: UnitAssignment?
        if let experiment = decision.experiment {
            let outcome =
                known?.outcome(of: experiment, in: snapshot, isTestDevice: testDevice != nil)
                ?? snapshot.outcome(of: experiment, for: install, isTestDevice: testDevice != nil)
            decision.take(outcome.assigned, locale: locale)
            // An answer that is not final enrols nobody.
            if isFinal { storing = outcome.unstored(for: install, in: experiment, revision: snapshot.revision) }
        }
        var answer = PaywallAnswer(
            placement: placement, locale: locale?.rawValue ?? "", kind: .matching, audience: decision.audience,
            revision: snapshot.revision, profileId: install.profileID, epoch: install.epoch, profileVersion: install.version,
            attributionVersion: install.attributionVersion, final: isFinal, paywall: decision.paywall
        )
        answer.pending = isFinal ? [] : pending.intersection(place.program.changedBy).kinds
        answer.testDevice = testDevice?.name
        answer.assignment = decision.assignment
        return ShownPaywall(answer: answer, paywall: decision.shown, storing: storing)
    }

    /// What everyone sees: needs no profile, and assigns nobody to an experiment.
    func everyone(_ placement: PlacementID, locale: LocaleCode?) throws -> ShownPaywall {
        guard let decision = snapshot.defaultDecision(placement: placement, locale: locale) else {
            throw UnknownPlacement()
        }
        let answer = PaywallAnswer(
            placement: placement, locale: locale?.rawValue ?? "", kind: .default, audience: decision.audience,
            revision: snapshot.revision, profileId: nil, epoch: 0, profileVersion: 0, attributionVersion: 0, final: true,
            paywall: decision.paywall
        )
        return ShownPaywall(answer: answer, paywall: decision.shown)
    }
}

/// An answer about a paywall. The paywall's own bytes are rendered before; only the JSON around them is written.
package struct ShownPaywall: JSONWritable {
    var answer: PaywallAnswer
    /// Nil shows nothing.
    let paywall: LocalizedPaywall?
    /// What must be stored before the answer is sent; nil if nothing is missing.
    var storing: UnitAssignment?

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        answer.writeFields(to: &json, paywall: paywall?.json)
        json.endObject()
    }
}

/// The configuration has no placement of the id. The id may be anything, so the sentence does not repeat it.
struct UnknownPlacement: Refusal, Hashable {
    var code: ErrorCode { .placementUnknown }
    var description: String { "The configuration has no placement of that id. Add it to landfall.yaml or correct the app." }
}
