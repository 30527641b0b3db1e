// SPDX-License-Identifier: Apache-2.0

/// Whose turn it is while installs, days and a generation on its way wait for the same job.
///
/// Installs go first, because each of them marks days again. Days are counted once no install waits; a store that is never without
/// a waiting one counts them now and then, so that they go on too. Then the job rests, although installs have come meanwhile: the days that
/// they mark are counted once for all of them.
struct RollupTurns {
    enum Turn: Hashable {
        case installs, day
        /// What is left after the installs: no more of them.
        case rest
        /// A generation on its way, or the rest of a former one. If there is none, what comes otherwise.
        case building(atRest: Bool)

        /// No more installs.
        var isAtRest: Bool { self == .rest || self == .building(atRest: true) }
    }

    /// What one turn did.
    enum Done: Equatable {
        case nothing
        /// - areAll: no install waited any more.
        case installs(areAll: Bool)
        case day, other
    }

    /// Installs and days may be marked without pause: the first of so many turns goes to a generation on its way.
    static let stepsBetweenBuilds = 10
    /// While there are always installs, they have so many times the time of days, and ``untilDaysMs`` before that.
    static let installsForDays: Int64 = 7
    /// The installs of a usual try are settled in less, and then no day is counted twice.
    private static let untilDaysMs: Int64 = 15_000

    private var steps = 0
    private var areInstallsDone = false
    private var installsMs: Int64 = 0
    private var daysMs = untilDaysMs / installsForDays

    mutating func next() -> Turn {
        defer { steps += 1 }
        if steps % Self.stepsBetweenBuilds == 0 { return .building(atRest: areInstallsDone) }
        if areInstallsDone { return .rest }
        return daysMs * Self.installsForDays < installsMs ? .day : .installs
    }

    /// - Parameter ms: what the turn took, in milliseconds.
    mutating func add(_ done: Done, ms: Int64) {
        switch done {
        case .nothing: break
        case .installs(let areAll):
            areInstallsDone = areAll
            installsMs += ms
        case .day: daysMs += ms
        // A generation on its way has marked installs.
        case .other: areInstallsDone = false
        }
    }
}
