// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

extension JobKind {
    package static let erasure = JobKind(rawValue: "erasure")
}

/// Erases people in batches. An erasure that has begun is completed even if the caller disconnects or the node stops: a job
/// remembers the subject until nothing of it is left.
package struct Eraser: Sendable, Redacted {
    /// The longest that a caller waits; jobs do the rest.
    static let longestMs: Int64 = 20_000
    /// For this long no other node takes over an erasure that a caller waits for.
    static let jobDelayMs: Int64 = 60_000

    package let database: any Database
    package let app: AppID
    package let time: ServerTime
    package let counts: any ErasedCounts
    private let webhooks: WebhookNeed

    package init(
        database: any Database, app: AppID, time: ServerTime, counts: any ErasedCounts, webhooks: WebhookNeed = WebhookNeed()
    ) {
        (self.database, self.app, self.time, self.counts, self.webhooks) = (database, app, time, counts, webhooks)
    }

    /// Erases the subject, and returns what was deleted. An unknown subject is not an error: then the answer has zeros.
    ///
    /// The first transactions go before bulk work: they cut installs off, and a job remembers the rest. The others are bulk work. If
    /// the store has too much of that, the job does them.
    /// - Parameter line: of the audit log, for a number of installs. It is written in the transaction that begins the erasure, if
    ///   there was somebody to forget.
    package func erase(_ subject: ErasureSubject, noting line: (@Sendable (_ installs: Int64) -> Statement)? = nil) async throws -> ErasureAnswer {
        try await erase(subject, noting: line, untilMs: time.nowMs() + Self.longestMs)
    }

    private func erase(
        _ subject: ErasureSubject, noting line: (@Sendable (_ installs: Int64) -> Statement)? = nil, untilMs endMs: Int64
    ) async throws -> ErasureAnswer {
        var answer = ErasureAnswer.nothing
        var waiting = [subject], line = line, urgency = Urgency.interactive
        while let next = waiting.last {
            let nowMs = time.nowMs()
            let done: Lot
            do {
                done = try await lot(of: next, urgency, noting: line, followedAtMs: nowMs + Self.jobDelayMs, nowMs: nowMs)
            } catch DatabaseError.busy where urgency == .bulk {
                answer.isGoingOn = true
                break
            }
            line = nil
            // All installs of a person are cut off before bulk work. A single install is cut off by its first transaction.
            if case .install = next { urgency = .bulk } else if done.answer.installs == 0 || done.isDone { urgency = .bulk }
            answer.add(done.answer)
            if done.isDone { waiting.removeLast() }
            waiting.insert(contentsOf: done.found, at: 0)
            if !waiting.isEmpty, time.nowMs() >= endMs {
                answer.isGoingOn = true
                break
            }
        }
        return answer
    }

    /// The same for an authenticated install: erases its profile with everything that belongs to it. If the install is unknown here,
    /// its phone is told so later: its first open may still be on its way.
    /// - Throws: ``InstallError/profileMismatch``
    func erase(_ credential: Credential) async throws -> ErasureAnswer {
        let subject = ErasureSubject.install(credential.installID), nowMs = time.nowMs()
        let profile: ProfileID? = try await database.write(.interactive, locking: subject.locks(in: app)) { connection in
            let row = try connection.row(
                "SELECT secret_hash, profile_id FROM install WHERE app_id = $1 AND install_id = $2",
                [.text(app.rawValue), .text(credential.installID.rawValue)])
            guard let row else {
                _ = try connection.run(ErasedInstall.mark(ErasedInstall.hash(of: credential), in: app, nowMs: nowMs))
                connection.tell(.erased(credential.installID, in: app))
                return nil
            }
            guard credential.matches(try row.blob("secret_hash")) else { throw InstallError.profileMismatch }
            return ProfileID(try row.text("profile_id"))
        }
        guard let profile else { return .nothing }
        let endMs = nowMs + Self.longestMs
        var answer = try await erase(.profile(profile), untilMs: endMs)
        // The install may have left that profile meanwhile.
        if try await database.read({ try subject.installs(in: app, $0) }) > 0 {
            answer.add(try await erase(subject, untilMs: endMs))
        }
        return answer
    }

    /// Completes the erasures that callers did not wait for.
    package var work: JobWork {
        JobWork(kind: .erasure, concurrency: 2) { job in
            guard let subject = ErasureSubject(key: job.name.key) else { return .done }
            for _ in 0..<RetentionWork.mostLots {
                let nowMs = time.nowMs()
                if try await lot(of: subject, .bulk, followedAtMs: nowMs, nowMs: nowMs).isDone { return .done }
                try await time.sleep(RetentionRule.pause)
            }
            return .again(atMs: time.nowMs())
        }
    }

    private struct Lot: Sendable {
        let answer: ErasureAnswer
        let isDone: Bool
        let found: [ErasureSubject]
    }

    private func lot(
        of subject: ErasureSubject, _ urgency: Urgency, noting line: (@Sendable (_ installs: Int64) -> Statement)? = nil, followedAtMs: Int64, nowMs: Int64
    ) async throws -> Lot {
        let stamp = DirtyMark.drawnStamp(), note = webhooks.note(of: .profileErased, nowMs: nowMs)
        // A generation of days that is started meanwhile gets its marks too.
        let locks = subject.locks(in: app) + [counts.lock(in: app)]
        return try await database.write(urgency, locking: locks) { connection in
            let installs = line == nil ? 0 : try subject.installs(in: app, connection)
            var unit = ErasureUnit(app: app, nowMs: nowMs, reportStamp: stamp, counts: counts, connection: connection)
            let isDone = try unit.step(subject)
            if let line, unit.answer.hasSomething { _ = try connection.run(line(installs)) }
            for row in note?.insertions(ofErased: unit.erasedProfiles, in: app) ?? [] { _ = try connection.run(row) }
            for other in unit.found { _ = try connection.run(name(of: other).insertion(dueAtMs: followedAtMs)) }
            if isDone {
                _ = try connection.run(name(of: subject).deletion)
            } else {
                _ = try connection.run(name(of: subject).insertion(dueAtMs: followedAtMs))
            }
            return Lot(answer: unit.answer, isDone: isDone, found: unit.found)
        }
    }

    private func name(of subject: ErasureSubject) -> JobName { JobName(app: app, kind: .erasure, key: subject.key) }
}

extension ErasureSubject {
    /// How many installs the subject has now.
    fileprivate func installs(in app: AppID, _ connection: any ReadConnection) throws -> Int64 {
        let (text, id) =
            switch self {
            case .profile(let id): (ErasureTables.profileCountText, id.rawValue)
            case .customer(let id): (ErasureTables.customerCountText, id.rawValue)
            case .install(let id): (ErasureTables.installCountText, id.rawValue)
            }
        return try connection.row(text, [.text(app.rawValue), .text(id)])?.integer("installs") ?? 0
    }

    /// What is known before the transaction; ``ErasureUnit`` locks what it finds. An install and its first profile go together, as in
    /// its own calls: then these do not wait in a circle.
    func locks(in app: AppID) -> [RowLock] {
        switch self {
        case .profile(let id): [.profile(id, in: app)] + (id.firstOf.map { [.install($0, in: app)] } ?? [])
        case .customer(let id): [.customer(id, in: app)]
        case .install(let id): [.install(id, in: app), .profile(.first(of: id), in: app)]
        }
    }
}

extension ErasureAnswer {
    fileprivate static let nothing = ErasureAnswer(rows: Dictionary(uniqueKeysWithValues: ErasureTables.all.map { ($0, 0) }))

    fileprivate var hasSomething: Bool { profiles + installs > 0 || rows.values.contains { $0 > 0 } }

    fileprivate mutating func add(_ other: ErasureAnswer) {
        profiles += other.profiles
        installs += other.installs
        rows.merge(other.rows, uniquingKeysWith: +)
        isGoingOn = isGoingOn ?? other.isGoingOn
    }
}
