// SPDX-License-Identifier: Apache-2.0

/// How many installs lack the values that warnings of a configuration are about, by a sample of those that are stored.
struct LackedValues: Sendable {
    /// At most so many are looked at beside a publication.
    static let sample = 1_000

    private let warnings: [ConfigurationProblem]
    private let subjects: [ConditionSubject]
    /// Whether each of them exists, one audience for each.
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

    /// True where no install has to be looked at.
    var isEmpty: Bool { subjects.isEmpty }

    mutating func look(at facts: AudienceFacts) {
        sampled += 1
        for index in subjects.indices where existence.truth(of: index, facts, pending: .nothing) == .no { counts[index] += 1 }
    }

    /// The warnings, those that are about a lacked value with their count.
    var remarks: [ConfigurationCheck.Remark] {
        let installs = Dictionary(uniqueKeysWithValues: zip(subjects, counts))
        return warnings.map { warning in
            guard sampled > 0, let subject = warning.lacked, let count = installs[subject] else { return .init(warning) }
            return .init(
                line: warning.place.line, column: warning.place.column, path: warning.path,
                message: warning.message + " Of \(sampled) installs that were looked at, \(count) lack it.",
                lacking: .init(attribute: subject.name, installs: count, sampled: sampled))
        }
    }
}
