// SPDX-License-Identifier: Apache-2.0

/// How many installs lack the values that warnings of a configuration are about, from a sample of the stored installs.
struct LackedValues: Sendable {
    /// The most installs that a publication looks at.
    static let sample = 1_000

    private let warnings: [ConfigurationProblem]
    private let subjects: [ConditionSubject]
    /// One audience for each value, which says whether the value exists.
    private let existence: AudienceProgram
    private var counts: [Int]
    private var sampled = 0

    init(_ warnings: [ConfigurationProblem]) {
        self.warnings = warnings
        var seen: Set<ConditionSubject> = []
        subjects = warnings.compactMap(\.lacked).filter { seen.insert($0).inserted }
        existence = AudienceProgram(subjects.map { .test(ConditionTest(subject: $0, symbol: .exists, operand: .flag(true))) })
        counts = subjects.map { _ in 0 }
    }

    /// True if the store has to read no install.
    var isEmpty: Bool { subjects.isEmpty }

    mutating func look(at facts: AudienceFacts) {
        sampled += 1
        for index in subjects.indices where existence.truth(of: index, facts, pending: .nothing) == .no { counts[index] += 1 }
    }

    /// The warnings; a warning about a missing value has its count.
    /// - Parameter seesPeople: false for who may not see single people: then few installs are not told.
    func remarks(seesPeople: Bool) -> [ConfigurationCheck.Remark] {
        let installs = Dictionary(uniqueKeysWithValues: zip(subjects, counts))
        return warnings.map { warning in
            guard sampled > 0, let subject = warning.lacked, let count = installs[subject] else { return .init(warning) }
            if !seesPeople, let few = FewInstalls(count, of: sampled) {
                return .init(
                    line: warning.place.line, column: warning.place.column, path: warning.path,
                    message: warning.message + few.sentence(of: sampled))
            }
            return .init(
                line: warning.place.line, column: warning.place.column, path: warning.path,
                message: warning.message + " It is missing in \(count) of \(sampled) installs that were looked at.",
                lacking: .init(attribute: subject.name, installs: count, sampled: sampled))
        }
    }
}

/// A number of installs that is too small, or leaves too few others, for readers who may not see single people. They learn only
/// that it is small.
enum FewInstalls: Hashable, Sendable {
    case few, allButFew

    /// Nil for a number that says nothing about single people. None are few too: one more question would tell them from one.
    init?(_ count: Int, of sampled: Int) {
        guard sampled > 0 else { return nil }
        let least = Int(SmallGroups.least)
        if count < least { self = .few } else if sampled - count < least { self = .allButFew } else { return nil }
    }

    /// The lowest and the highest number that it stands for.
    func ends(of sampled: Int) -> [Int] {
        let most = Int(SmallGroups.least) - 1
        switch self {
        case .few: return [0, min(most, sampled)]
        case .allButFew: return [max(0, sampled - most), sampled]
        }
    }

    fileprivate func sentence(of sampled: Int) -> String {
        let least = SmallGroups.least
        switch self {
        case .few: return " It is missing in fewer than \(least) of the installs that were looked at, or in none."
        case .allButFew: return " It is missing in all of the \(sampled) installs that were looked at, or in all but fewer than \(least)."
        }
    }
}
