// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

extension Install {
    /// What each fact means for the install's source: the one that counts first, then the others in the order in which the server
    /// learned of them.
    var standings: [(fact: AttributionFact, standing: FactVerdict)] {
        let winner = precedence.winner, credit = linkCredit
        return facts.map { fact in (fact, FactVerdict(of: fact, winner: winner, credit)) }.sorted { one, other in
            let counts = (one.standing == .counts, other.standing == .counts)
            guard counts.0 == counts.1 else { return counts.0 }
            return (one.fact.recordedAtMs, one.fact.id) < (other.fact.recordedAtMs, other.fact.id)
        }
    }
}

extension FactVerdict {
    /// Says in words what ``AttributionPrecedence`` and ``LinkCredit`` have decided.
    fileprivate init(of fact: AttributionFact, winner: AttributionFact?, _ credit: LinkCredit) {
        if fact.id == winner?.id {
            self = .counts
        } else if fact.source == .link, credit.engagement?.id == fact.id {
            self = .broughtBack
        } else if fact.status == .unknown {
            self = .namesNothing
        } else if fact.source == .link, !credit.acquiring.contains(where: { $0.id == fact.id }) {
            self = .outsideWindow
        } else if winner?.status == .nonOrganic, fact.status == .organic {
            self = .organic
        } else if winner?.source == .appleAds, fact.source != .appleAds {
            self = .behindAppleAds
        } else if fact.isGuessed, winner?.isGuessed == false {
            self = .guessed
        } else {
            self = .later
        }
    }
}
