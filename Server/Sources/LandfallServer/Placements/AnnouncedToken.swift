// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// A token that an open announces while its stream is held. The install's row says until when it is awaited, so that every other call of
/// the phone waits for it too, on every node and after a restart.
package struct AnnouncedToken: Hashable, Sendable {
    let snapshot: Snapshot
    /// The placements that the stream answers.
    let placements: [PlacementID]
    let holdEndsAtMs: Int64
    /// When the open arrived, by the clock of all nodes: the phone may call the token off at another one.
    let openedAtMs: Int64

    /// The end of the hold; nil if the stream waits for nothing and ends at once, or if the phone has called the token off meanwhile.
    /// - Parameters:
    ///   - isLinkPending: the link from before the install may still be found.
    ///   - nowMs: when the open arrived.
    func awaitedUntilMs(by install: Install, isLinkPending: Bool = false, nowMs: Int64) -> Int64? {
        guard nowMs < holdEndsAtMs, !install.isTokenCalledOff(after: openedAtMs), !install.hasFreshToken(nowMs: holdEndsAtMs) else { return nil }
        var resolution = AttributionResolution(install: install, isTokenAnnounced: true, nowMs: nowMs, holdEndsAtMs: holdEndsAtMs)
        resolution.arePurchasesPending = false
        guard resolution.isPending else { return nil }
        guard !placements.isEmpty else { return holdEndsAtMs }
        resolution.isLinkPending = isLinkPending
        let answering = PlacementAnswerBuilder(snapshot: snapshot), facts = snapshot.facts(of: install, nowMs: nowMs)
        let isHeld = placements.contains { placement in
            let shown = try? answering.matching(placement, locale: nil, install: install, facts: facts, pending: resolution.pending)
            return shown?.answer.final == false
        }
        return isHeld ? holdEndsAtMs : nil
    }

    package static func == (left: AnnouncedToken, right: AnnouncedToken) -> Bool {
        left.snapshot === right.snapshot && left.placements == right.placements && left.holdEndsAtMs == right.holdEndsAtMs
            && left.openedAtMs == right.openedAtMs
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(placements)
        hasher.combine(holdEndsAtMs)
    }
}
