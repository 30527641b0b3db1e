// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// How many installs lack the values that warnings of a configuration are about, from a sample of the stored installs.
package struct LackedValues: Sendable {
    /// The most installs that a publication looks at.
    static let sample = 1_000

    private let warnings: [ConfigurationProblem]
    private let subjects: [ConditionSubject]
    /// One audience for each value, which says whether the value exists.
    private let existence: AudienceProgram
    private var counts: [Int]
    private var sampled = 0

    package init(_ warnings: [ConfigurationProblem]) {
        self.warnings = warnings
        var seen: Set<ConditionSubject> = []
        subjects = warnings.compactMap(\.lacked).filter { seen.insert($0).inserted }
        existence = AudienceProgram(subjects.map { .test(ConditionTest(subject: $0, symbol: .exists, operand: .flag(true))) })
        counts = subjects.map { _ in 0 }
    }

    /// True if the store has to read no install.
    var isEmpty: Bool { subjects.isEmpty }

    package mutating func look(at facts: AudienceFacts) {
        sampled += 1
        for index in subjects.indices where existence.truth(of: index, facts, pending: .nothing) == .no { counts[index] += 1 }
    }

    /// The warnings; a warning about a missing value has its count.
    /// - Parameter seesPeople: false for a reader who may not see single people: then small numbers are hidden.
    package func remarks(seesPeople: Bool) -> [ConfigurationRemark] {
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
                message: warning.message + " It is missing in \(count) of \(sampled) sampled installs.",
                lacking: .init(attribute: subject.name, installs: count, sampled: sampled))
        }
    }
}
