// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Limits the lines of each message with each cause: the first ones are written at once, later ones are counted, and the count is written
/// once a minute. A disk that hangs, or a service that is down, can otherwise fill the log with one line for each request.
struct LogLimit {
    /// What is limited together.
    struct Subject: Hashable {
        let message: String
        let cause: String
    }

    /// How many lines are written at once. The count starts again after a minute without a line.
    static let first = 5
    static let interval = Duration.seconds(60)
    /// Subjects that are counted separately; all further ones are counted together, as ``others``.
    static let mostSubjects = 256
    /// Messages or causes that are equal in so many bytes count as one.
    static let longestCause = 160
    static let others = Subject(message: "Further messages", cause: "")

    private struct Count {
        var written = 0
        /// How many lines were not written since the last written one.
        var left = 0
        var isQuiet = true
    }

    private var counts: [Subject: Count] = [:]

    /// - Returns: false if the line is only counted.
    mutating func admits(_ subject: Subject) -> Bool {
        let subject = counts[subject] != nil || counts.count < Self.mostSubjects ? subject : Self.others
        var count = counts[subject] ?? Count()
        defer { counts[subject] = count }
        count.isQuiet = false
        guard count.written < Self.first else {
            count.left += 1
            return false
        }
        count.written += 1
        return true
    }

    /// Call it once a minute.
    /// - Returns: how often each was only counted since the last call.
    mutating func minute() -> [(subject: Subject, times: Int)] {
        let told = counts.filter { $0.value.left > 0 }.map { ($0.key, $0.value.left) }.sorted { $0.0.message < $1.0.message }
        counts = counts.filter { !$0.value.isQuiet }.mapValues { count in
            var count = count
            (count.left, count.isQuiet) = (0, true)
            return count
        }
        return told
    }
}
