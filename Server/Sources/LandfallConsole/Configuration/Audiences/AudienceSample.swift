// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire
import Synchronization

/// What is known of some installs, drawn at random. A rule that somebody edits is counted over them again and again: for two minutes
/// that takes no read of the store. Then the next edit draws others.
final class AudienceSample: Sendable {
    /// How many installs are drawn; their values take some megabytes.
    static let most = 2_000
    static let longestMs: Int64 = 2 * 60_000

    struct Member: Sendable {
        let facts: AudienceFacts
        let pending: Pending
    }

    struct Drawn: Sendable {
        /// The served version, which knows test devices and access levels.
        let revision: Int64
        let atMs: Int64
        let members: [Member]
    }

    private let kept = Mutex<Drawn?>(nil)
    private let drawing = AsyncSemaphore(permits: 1)

    /// What was drawn lately; what is too old is forgotten.
    func known(_ revision: Int64, nowMs: Int64) -> Drawn? {
        kept.withLock { kept in
            if let drawn = kept, drawn.revision != revision || !(0...Self.longestMs).contains(nowMs - drawn.atMs) { kept = nil }
            return kept
        }
    }

    /// - Returns: nil while installs are drawn for another member.
    func drawn<Numbers: RandomNumberGenerator & Sendable>(
        for snapshot: Snapshot, from installs: SampledInstalls, numbers: Numbers, nowMs: Int64
    ) async throws -> Drawn? {
        if let known = known(snapshot.revision, nowMs: nowMs) { return known }
        guard let permit = drawing.permitIfFree() else { return nil }
        defer { permit.giveBack() }
        let members = try await installs.tally([Member](), of: Self.most, numbers: numbers) { members, install, nowMs in
            members.append(Member(facts: snapshot.facts(of: install, nowMs: nowMs), pending: install.pendingAnswers(nowMs: nowMs)))
        }
        let drawn = Drawn(revision: snapshot.revision, atMs: nowMs, members: members)
        kept.withLock { $0 = drawn }
        return drawn
    }
}

extension AudienceSample.Drawn {
    /// How many of the installs a rule matches.
    func sample(of condition: Condition) -> MatchSample {
        let program = AudienceProgram([condition])
        var count = MatchCount()
        for member in members { count.add(program.truth(of: 0, member.facts, pending: member.pending)) }
        return MatchSample(count: count, of: members.count, isEverything: members.count < AudienceSample.most, atMs: atMs)
    }

    /// The values of an attribute with how many installs have each, the most frequent ones first. A value that few have is not told.
    /// - Parameter most: how many values.
    func values(of subject: ConditionSubject, most: Int) -> [(value: String, count: Int)] {
        var counts: [ExactText: Int] = [:]
        for member in members {
            for text in member.facts.values.value(of: subject)?.texts ?? [] { counts[ExactText(text), default: 0] += 1 }
        }
        let told = counts.filter { $0.value >= MatchSample.fewest }
            .sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
        return told.prefix(most).map { ($0.key.text, $0.value) }
    }
}

extension JSONValue {
    /// Texts, as a value or in a list.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        default: []
        }
    }
}

extension Install {
    /// What can still change the install's audiences.
    func pendingAnswers(nowMs: Int64) -> Pending { if case .pending = attribution(nowMs: nowMs) { .attribution } else { .nothing } }
}

extension MatchCount {
    mutating func add(_ truth: Truth) {
        switch truth {
        case .yes: yes += 1
        case .unknown: unknown += 1
        case .no: no += 1
        }
    }
}
