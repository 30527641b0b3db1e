// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire
import Synchronization

/// How many installs of a sample each audience matches. One count at a time on a node, and its numbers serve every member for
/// some minutes: ten members who look do not read the store ten times.
package final class AudienceMatches: Sendable {
    static let most = 10_000
    /// The numbers of a count are shown until this age.
    static let longestMs: Int64 = 10 * 60_000
    /// A count is not repeated within this time.
    static let pauseMs: Int64 = 60_000
    /// With more audiences, only those that are looked at are counted.
    private static let mostAtOnce = 500

    package init() {}

    /// The numbers of an audience, from one look at the store.
    struct Tallied: Sendable {
        let atMs: Int64
        let sampled: Int
        let count: MatchCount
    }

    /// The numbers of a version, from one look at the store or several.
    struct Counted: Sendable {
        let revision: Int64
        var audiences: [AudienceID: Tallied]

        /// What of it is true for a version now.
        fileprivate func known(_ revision: Int64, nowMs: Int64) -> Counted? {
            guard self.revision == revision else { return nil }
            let known = audiences.filter { (0...AudienceMatches.longestMs).contains(nowMs - $0.value.atMs) }
            return known.isEmpty ? nil : Counted(revision: revision, audiences: known)
        }
    }

    /// For rules that are being edited.
    let sample = AudienceSample()
    private let counted = Mutex<Counted?>(nil)
    private let counting = AsyncSemaphore(permits: 1)

    /// The numbers for a version, if they are not too old.
    func known(_ revision: Int64, nowMs: Int64) -> Counted? {
        counted.withLock(\.self)?.known(revision, nowMs: nowMs)
    }

    /// Counts every audience of a version.
    /// - Parameter wanted: names that the version does not have are left out.
    /// - Returns: nil while another member's count is under way.
    func count<Numbers: RandomNumberGenerator & Sendable>(
        _ wanted: Set<AudienceID>, of snapshot: Snapshot, in installs: SampledInstalls, numbers: Numbers, nowMs: Int64
    ) async throws -> Counted? {
        let all = snapshot.configuration.audiences, looked = all.filter { wanted.contains($0.id) }
        let known = known(snapshot.revision, nowMs: nowMs)
        func isFresh(_ audience: Audience) -> Bool { known?.audiences[audience.id].map { nowMs - $0.atMs < Self.pauseMs } ?? false }
        if let known, looked.allSatisfy(isFresh) { return known }
        guard let permit = counting.permitIfFree() else { return nil }
        defer { permit.giveBack() }
        var counted = try await Self.tally(
            all.count > Self.mostAtOnce ? Array(looked.prefix(Self.mostAtOnce)) : all, of: snapshot, in: installs, numbers, nowMs: nowMs)
        // The numbers of another page stay.
        let earlier = self.known(snapshot.revision, nowMs: nowMs)?.audiences ?? [:]
        counted.audiences.merge(earlier) { now, _ in now }
        self.counted.withLock { [counted] in $0 = counted }
        return counted
    }

    private static func tally<Numbers: RandomNumberGenerator & Sendable>(
        _ audiences: [Audience], of snapshot: Snapshot, in installs: SampledInstalls, _ numbers: Numbers, nowMs: Int64
    ) async throws -> Counted {
        let program = AudienceProgram(audiences.map(\.condition))
        let first = Tally(audiences: audiences.map { _ in MatchCount() })
        let tally = try await installs.tally(first, of: most, numbers: numbers) { tally, install, nowMs in
            tally.sampled += 1
            let facts = snapshot.facts(of: install, nowMs: nowMs)
            let pending = install.pendingAnswers(nowMs: nowMs)
            for index in tally.audiences.indices { tally.audiences[index].add(program.truth(of: index, facts, pending: pending)) }
        }
        return Counted(
            revision: snapshot.revision,
            audiences: Dictionary(
                zip(audiences.map(\.id), tally.audiences.map { Tallied(atMs: nowMs, sampled: tally.sampled, count: $0) })
            ) { first, _ in first })
    }

    private struct Tally: Sendable {
        var sampled = 0
        var audiences: [MatchCount]
    }
}
