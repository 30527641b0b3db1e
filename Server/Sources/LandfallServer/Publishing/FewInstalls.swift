// SPDX-License-Identifier: Apache-2.0

/// A number of installs that is hidden from readers who may not see single people: it is too small, or leaves too few others. They learn
/// only that it is small.
package enum FewInstalls: Hashable, Sendable {
    case few, allButFew

    /// A smaller group could reveal something about single people.
    package static let least: Int64 = 10

    /// Nil for a number that reveals nothing about single people. Zero counts as few too: otherwise a second question could distinguish
    /// it from one.
    package init?(_ count: Int, of sampled: Int) {
        guard sampled > 0 else { return nil }
        let least = Int(Self.least)
        if count < least { self = .few } else if sampled - count < least { self = .allButFew } else { return nil }
    }

    /// The lowest and the highest number that it can stand for.
    package func ends(of sampled: Int) -> [Int] {
        let most = Int(Self.least) - 1
        switch self {
        case .few: return [0, min(most, sampled)]
        case .allButFew: return [max(0, sampled - most), sampled]
        }
    }

    func sentence(of sampled: Int) -> String {
        let least = Self.least
        switch self {
        case .few: return " It is missing in fewer than \(least) of the sampled installs, or in none."
        case .allButFew: return " It is missing in all of the \(sampled) sampled installs, or in all but fewer than \(least)."
        }
    }
}
