// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
import Synchronization

extension JobKind {
    package static let rollups = JobKind(rawValue: "rollups")
    /// Apart from ``rollups``, so that days are counted while others are counted again.
    package static let recounts = JobKind(rawValue: "recounts")
}

/// Keeps the computed days of reports: a standing job that one node at a time works on.
package struct RollupWork: Sendable {
    /// The pause of a store in which nothing was to be done.
    static let intervalMs: Int64 = 30_000
    /// After a try that did something the job pauses half as long as that took, within these bounds: on a busy store more comes meanwhile,
    /// whose days are counted once for all of it.
    static let pauseMs: ClosedRange<Int64> = 10_000...30_000
    /// The pause between two transactions: what people write goes first.
    static let pause: Duration = .milliseconds(5)
    /// Transactions and milliseconds of one try, so that it ends before its lease.
    static let mostSteps = 1_000, mostMs: Int64 = 30_000
    /// Days of clicks, and of charges, that go before installs.
    static let mostClickDays = 10, mostChargeDays = 20
    /// What a report counts itself while somebody waits for it: so many marks, on days of so many installs and exposures.
    static let mostAtOnce = 10, mostOfDay: Int64 = 500

    package let database: any Database
    package let configuration: LiveConfiguration
    package let time: ServerTime
    package var openDays = CountedOpenDays()
    /// Hears what a recount put right.
    package var onDifferences: @Sendable (RollupRecount.Differences) -> Void = { _ in }

    package init(
        database: any Database, configuration: LiveConfiguration, time: ServerTime, openDays: CountedOpenDays = CountedOpenDays(),
        onDifferences: @escaping @Sendable (RollupRecount.Differences) -> Void = { _ in }
    ) {
        self.database = database
        self.configuration = configuration
        self.time = time
        self.openDays = openDays
        self.onDifferences = onDifferences
    }

    var app: AppID { configuration.snapshot.app.id }

    package var work: JobWork {
        JobWork(
            kind: .rollups, standing: [JobName(app: app, kind: .rollups, key: "days")],
            attempt: { job in
                // Recounts were jobs of this kind before they had one of their own.
                guard job.name.key == "days" else { return .done }
                let pauseMs = try await self.work()
                return .again(atMs: time.nowMs() + pauseMs)
            })
    }

    /// Does some of what is to be done.
    /// - Returns: the pause until the next try, in milliseconds; 0 if there is more.
    func work() async throws -> Int64 {
        let beganMs = time.nowMs()
        // Installs may come faster than they are counted: clicks do not wait for them.
        if let state = try await load() {
            for _ in 0..<Self.mostClickDays { guard time.nowMs() - beganMs < Self.mostMs, try await clicks(state) else { break } }
        }
        for _ in 0..<Self.mostChargeDays {
            guard time.nowMs() - beganMs < Self.mostMs, try await ChargeDayUpdate(database: database, app: app).step() else { break }
        }
        var turns = RollupTurns()
        for step in 0..<Self.mostSteps {
            if step > 0 { try await time.sleep(Self.pause) }
            let fromMs = time.nowMs()
            // At least one turn, however long the clicks took.
            guard step == 0 || fromMs - beganMs < Self.mostMs else { break }
            let done = try await take(turns.next())
            if done == .nothing {
                let tookMs = time.nowMs() - beganMs
                return step == 0 ? Self.intervalMs : min(max(Self.pauseMs.lowerBound, tookMs / 2), Self.pauseMs.upperBound)
            }
            turns.add(done, ms: max(1, time.nowMs() - fromMs))
        }
        return 0
    }

    /// Computes what a small store has waiting, so that a report has what was just sent. A busy store's report says up to when
    /// it is complete.
    /// - Returns: nil before the first generation is complete.
    func settled() async throws -> RollupState? {
        let snapshot = configuration.snapshot
        guard let state = try await load(), state.serving != nil else { return nil }
        let settling = settling(snapshot, state)
        guard let serving = state.serving, try await settling.isSmall(serving, marks: Self.mostAtOnce) else { return state }
        // Once: installs may be marked without pause, and somebody waits.
        _ = try await settling.settleInstalls(nowMs: time.nowMs())
        for _ in 0..<Self.mostAtOnce {
            guard try await settling.settleDay(serving, atMost: Self.mostOfDay, nowMs: time.nowMs()) else { break }
        }
        return try await load()
    }

    private func load() async throws -> RollupState? {
        try await database.read { [app] in try RollupState.load(app, $0) }
    }

    /// One transaction, or a few small ones.
    func take(_ turn: RollupTurns.Turn) async throws -> RollupTurns.Done {
        let snapshot = configuration.snapshot
        let nowMs = time.nowMs()
        let rules = RollupRules(snapshot)
        let state = try await load()
        guard let state, isCurrent(state, rules) else {
            return try await begin(rules, after: state, snapshot, nowMs: nowMs) ? .other : .nothing
        }
        let settling = settling(snapshot, state)
        func day() async throws -> Bool {
            for generation in state.generations
            where try await settling.settleDay(generation, isBuilding: state.isBuilding(generation), nowMs: nowMs) { return true }
            return false
        }
        if case .building = turn, try await build(state, settling, nowMs: nowMs) { return .other }
        if turn == .day || turn.isAtRest, try await day() { return .day }
        if !turn.isAtRest {
            let installs = try await settling.settleInstalls(nowMs: nowMs)
            if installs > 0 { return .installs(areAll: installs < RollupUpdate.mostInstalls) }
            if try await day() { return .day }
        }
        if state.building != nil { return try await RollupBuild(settling: settling).step(state, nowMs: nowMs) ? .other : .nothing }
        if try await removeFormer(state) { return .other }
        return try await clicks(state) ? .other : .nothing
    }

    /// One part of a generation on its way: marks some of it, and computes a marked day. Both, because each install that comes meanwhile
    /// marks a day again.
    private func build(_ state: RollupState, _ settling: RollupUpdate, nowMs: Int64) async throws -> Bool {
        guard let building = state.building else { return try await removeFormer(state) }
        let isMarked = try await RollupBuild(settling: settling).step(state, nowMs: nowMs)
        return try await settling.settleDay(building.generation, isBuilding: true, nowMs: nowMs) || isMarked
    }

    /// Counts one day of clicks.
    private func clicks(_ state: RollupState) async throws -> Bool {
        let closing = ClickDayCounter(database: database, app: app, retention: configuration.snapshot.retention, openDays: openDays)
        return try await closing.step(state.generations.map(\.rules.zone), nowMs: time.nowMs())
    }

    func settling(_ snapshot: Snapshot, _ state: RollupState) -> RollupUpdate {
        let rules = [RollupRules(snapshot)] + state.generations.map(\.rules)
        return RollupUpdate(
            database: database, app: snapshot.app.id, types: rules.reduce(into: []) { $0.formUnion($1.types) },
            windowMs: rules.flatMap(\.metrics).map { $0.windowDays * Retention.dayMs }.max() ?? 0, testDevices: snapshot.testDevices,
            retention: snapshot.retention)
    }

    private func isCurrent(_ state: RollupState, _ rules: RollupRules) -> Bool {
        state.building.map { $0.generation.rules == rules } ?? (state.serving?.rules == rules)
    }

    /// Begins a generation by other rules. Reports read the old one until the new one is complete.
    private func begin(_ rules: RollupRules, after before: RollupState?, _ snapshot: Snapshot, nowMs: Int64) async throws -> Bool {
        var state =
            before
            ?? RollupState(
                serving: nil, building: nil, installsFromMs: nowMs - snapshot.retention.installMs,
                eventsFromMs: nowMs - snapshot.retention.eventMs)
        state.activityFromMs = state.activityFromMs ?? nowMs
        // An unfinished generation may have computed some installs by its own rules. Its number is not used again.
        let former = state.generations
        let needsInstalls = state.serving == nil || former.contains { rules.needsInstalls(after: $0.rules) }
        state.building = RollupState.Building(
            generation: .init(number: (former.map(\.number).max() ?? 0) + 1, rules: rules), readsInstalls: needsInstalls, doneTo: "",
            done: 0, total: 0)
        let unfinished = before?.building.map { RollupRows(app: app, generation: $0.generation.number).staleMarks() } ?? []
        return try await state.replace(before, with: unfinished, in: app, database)
    }

    /// Deletes days that no report reads any more.
    private func removeFormer(_ state: RollupState) async throws -> Bool {
        guard let serving = state.serving else { return false }
        let statement = Statement(
            RollupRows.removalText, [.text(app.rawValue), .integer(serving.number), .integer(RetentionRule.mostRows)])
        let former = try await database.read { [app] in
            try $0.row(
                "SELECT day FROM report_day WHERE app_id = $1 AND generation < $2 LIMIT 1",
                [.text(app.rawValue), .integer(serving.number)])
        }
        guard former != nil else { return false }
        return try await database.write(.bulk, locking: []) { try $0.run(statement) } > 0
    }
}
