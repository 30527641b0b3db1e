// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallServer

/// How many installs of a sample an audience matches.
struct MatchCount: Hashable, Sendable {
    var yes = 0
    /// An answer that is on its way decides.
    var unknown = 0
    var no = 0
}

/// The numbers of one audience beside how they were counted.
struct MatchSample: Hashable, Sendable {
    let count: MatchCount
    let sampled: Int
    /// The sample is every install of the store.
    let isEverything: Bool
    /// The ends of the share of all installs that match, with 95 % confidence.
    let interval: ClosedRange<Double>
    let atMs: Int64

    /// Fewer installs are not told apart.
    static let fewest = Int(FewInstalls.least)

    /// True if one of the numbers is too small to be told. Then the others are rounded, so that nobody finds it by subtraction.
    private var hidesOne: Bool {
        count.yes < Self.fewest || count.no < Self.fewest || (1..<Self.fewest).contains(count.unknown)
    }

    func text(_ value: Int, _ words: Words) -> String {
        guard value >= Self.fewest else { return words.fewerThan(Self.fewest) }
        return hidesOne ? words.about(words.language.count(Int64(value / 10 * 10))) : words.language.count(Int64(value))
    }

    func total(_ words: Words) -> String { text(sampled, words) }

    /// Nil where the number of matches is not told.
    func range(_ words: Words) -> String? {
        let language = words.language
        guard count.yes >= Self.fewest, sampled > 0 else { return nil }
        // A share of exact numbers would tell the small one.
        guard !hidesOne else { return words.about(words.language.share(Double(count.yes / 10 * 10) / Double(sampled))) }
        if isEverything { return language.share(Double(count.yes) / Double(sampled)) }
        return language.share(interval.lowerBound) + " – " + language.share(interval.upperBound)
    }
}

extension MatchSample {
    init(count: MatchCount, of sampled: Int, isEverything: Bool, atMs: Int64) {
        let interval = WilsonInterval.bounds(count.yes, of: sampled)
        self.init(count: count, sampled: sampled, isEverything: isEverything, interval: interval[0]...interval[1], atMs: atMs)
    }
}
