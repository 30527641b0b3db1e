// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Which of an install's facts counts. A pure function of the set: order of arrival and node do not matter.
///
/// The order of precedence: Apple Ads with an ad; the first other source that names an origin; a link that was only guessed by
/// its address; the first source that says organic. So paid never becomes organic again, and a guess never wins over a source
/// that names an origin. `unknown` is ignored.
package struct AttributionPrecedence: Hashable, Sendable {
    /// The fact that counts; nil if there is none.
    package let winner: AttributionFact?
    /// Sources that name an origin, the winner first, each once.
    let appliedSources: [AttributionSource]

    init(_ facts: [AttributionFact]) {
        // Most installs have one fact at most, and then there is nothing to sort. This runs for each install that is not cached.
        guard facts.count > 1 else {
            let rank = facts.first.flatMap { Rank($0) }
            winner = rank == nil ? nil : facts.first
            appliedSources = rank.map { $0 <= .guessed ? [facts[0].source] : [] } ?? []
            return
        }
        let ranked =
            facts
            .compactMap { fact in Rank(fact).map { (rank: $0, fact: fact) } }
            .sorted { ($0.rank, $0.fact.saidAtMs, $0.fact.id) < ($1.rank, $1.fact.saidAtMs, $1.fact.id) }
        winner = ranked.first?.fact
        appliedSources = ranked.reduce(into: []) { sources, next in
            if next.rank <= .guessed, !sources.contains(next.fact.source) { sources.append(next.fact.source) }
        }
    }

    /// Decides an install's source from every fact except clicks that came too early or too late.
    package static func acquisition(_ facts: [AttributionFact], firstOpenAtMs: Int64) -> AttributionPrecedence {
        guard facts.contains(where: { $0.source == .link }) else { return AttributionPrecedence(facts) }
        let credit = LinkCredit(facts, firstOpenAtMs: firstOpenAtMs, absences: [])
        return AttributionPrecedence(facts.filter { $0.source != .link } + credit.acquiring)
    }

    private enum Rank: Int, Comparable {
        case paidByAppleAds, paid, guessed, organicByAppleAds, organic

        init?(_ fact: AttributionFact) {
            switch (fact.status, fact.source == .appleAds) {
            case (.nonOrganic, true): self = .paidByAppleAds
            case (.nonOrganic, false): self = fact.isGuessed ? .guessed : .paid
            case (.organic, true): self = .organicByAppleAds
            case (.organic, false): self = .organic
            case (.unknown, _): return nil
            }
        }

        static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}
