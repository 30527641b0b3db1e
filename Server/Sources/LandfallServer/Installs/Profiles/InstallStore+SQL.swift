// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// The live store, on either engine. Every change is one transaction: lock, load once, change a value, write the difference.
///
/// An open that changes nothing is only read: a write waits for the disk, and most opens change only the time of the last one.
package struct SQLInstallStore: InstallStore {
    let database: any Database
    let cache: InstallCache?
    let storeEpoch: Int64
    private let places: JobSlots?
    let assignments: AssignmentNeed
    private let feed: LiveFeed?
    private let clock: StoreClock
    private let webhooks: WebhookNeed

    /// - Parameters:
    ///   - cache: nil if other nodes also change installs of this store.
    ///   - assignments: whether installs are read with their assignments to experiments.
    ///   - places: of this node's runner. With a free place, a new token is asked about after one commit.
    ///   - clock: of all nodes on this store.
    ///   - feed: is told of new installs and of new facts about their source.
    ///   - webhooks: what endpoints want to know.
    package init(
        _ database: any Database, _ mark: StoreMark, cache: InstallCache? = nil, assignments: AssignmentNeed = AssignmentNeed(),
        places: JobSlots? = nil, clock: StoreClock = .own, feed: LiveFeed? = nil, webhooks: WebhookNeed = WebhookNeed()
    ) {
        self.webhooks = webhooks
        self.assignments = assignments
        self.feed = feed
        self.database = database
        self.cache = database.isShared ? nil : cache
        self.storeEpoch = mark.epoch
        self.places = places
        self.clock = clock
    }

    package func open(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) async throws -> Opened {
        let prepared = try PreparedOpening(opening, nowMs: nowMs)
        var questions = prepared.questions
        if !prepared.isAlwaysNews {
            let known = try await known(app, credential)
            if let known, !prepared.isNews(to: known, nowMs: nowMs),
                opening.enrolling?.missing(for: known, nowMs: nowMs).isEmpty ?? true
            {
                doubt(known, in: app)
                return Opened(install: known)
            }
            questions.expectation = known == nil ? .new : .known
        }
        let (install, deferred) = try await queueing(app, credential, nowMs: nowMs, asking: questions) {
            try $0.open(prepared)
        }
        return Opened(install: install, deferred: deferred)
    }

    package func enrol(_ app: AppID, _ credential: Credential, _ enrolling: Enrollment, nowMs: Int64) async throws -> Install {
        var questions = InstallQuestions()
        questions.readsAssignments = true
        return try await change(app, credential, nowMs: nowMs, asking: questions) { record in
            record.install.enrol(by: enrolling, nowMs: nowMs)
        }.install
    }

    package func report(_ app: AppID, _ credential: Credential, _ token: AdToken, nowMs: Int64) async throws -> Install {
        try token.checkLength()
        var questions = InstallQuestions()
        if case .value(let text) = token { questions.token = TokenHash(of: text) }
        return try await queueing(app, credential, nowMs: nowMs, asking: questions) { [hash = questions.token] record in
            record.take(token, hash)
        }.install
    }

    /// A change that may put a token into the queue.
    private func queueing<Value: Sendable>(
        _ app: AppID, _ credential: Credential, nowMs: Int64, asking questions: InstallQuestions,
        _ steps: @escaping @Sendable (inout InstallRecord) throws -> Value
    ) async throws -> (install: Install, value: Value) {
        let lease = questions.token == nil ? nil : places?.reserve(.appleAds, nowMs: nowMs)
        var taken: Job?
        defer { if lease != nil, taken == nil { places?.giveBack(.appleAds) } }
        let changed = try await change(app, credential, nowMs: nowMs, asking: questions) { record in
            record.tokenLease = lease
            let value = try steps(&record)
            return (value: value, job: record.queuedToken?.takenJob(of: record.unit), isQueued: record.queuedToken != nil)
        }
        taken = changed.value.job
        if let taken { places?.begin(taken) }
        if !changed.value.isQueued { doubt(changed.install, in: app) }
        return (changed.install, changed.value.value)
    }

    /// The install's token came with an earlier call, perhaps to a node that has died since.
    private func doubt(_ install: Install, in app: AppID) {
        if let exchange = install.exchange, exchange.isOpen { places?.doubt(exchange.jobName(in: app)) }
    }

    package func record(_ app: AppID, _ credential: Credential, _ claim: AttributionClaim, nowMs: Int64) async throws -> Install {
        var body = try claim.checked()
        let fact = AttributionFact(body, nowMs: nowMs)
        body.ageMilliseconds = 0
        let key = try RequestKey(claim.key, .claim, body)
        return try await once(app, credential, key, nowMs: nowMs) { try $0.install.facts.add(claim: fact) }
    }

    package func change(_ app: AppID, _ credential: Credential, _ changes: AttributeChanges, nowMs: Int64) async throws -> Install {
        let key = try RequestKey(changes.key, .attributes, changes)
        return try await once(app, credential, key, nowMs: nowMs) { record in
            guard record.isAboutPerson(changes) else { return }
            record.install.attributes = try AttributeRules.applying(changes.attributes, to: record.install.attributes)
        }
    }

    package func identify(_ app: AppID, _ credential: Credential, _ person: Identification, nowMs: Int64) async throws -> Install {
        try person.check()
        let key = try RequestKey(person.key, person.isVerified ? .provenIdentify : .identify, person.customerID)
        let customer = person.isVerified ? person.customerID : nil
        return try await once(app, credential, key, customer: customer, nowMs: nowMs) { record in
            let isOwned = record.install.identify(
                person, theirs: record.answers.customersProfile, freshID: record.unit.freshID)
            if isOwned { record.ownedCustomer = person.customerID }
        }
    }

    package func logOut(_ app: AppID, _ credential: Credential, key: IdempotencyKey, nowMs: Int64) async throws -> Install {
        let key = try RequestKey(key, .logOut, key)
        return try await once(app, credential, key, nowMs: nowMs) { $0.install.logOut(freshID: $0.unit.freshID) }
    }

    /// Makes a change once for each key, however often it is requested.
    private func once(
        _ app: AppID, _ credential: Credential, _ key: RequestKey, customer: CustomerID? = nil, nowMs: Int64,
        _ steps: @escaping @Sendable (inout InstallRecord) throws -> Void
    ) async throws -> Install {
        var questions = InstallQuestions()
        questions.keys = [key]
        questions.customer = customer
        return try await change(app, credential, nowMs: nowMs, asking: questions) { record in
            if try record.keys.use(key) { try steps(&record) }
        }.install
    }

    /// One transaction on behalf of an authenticated install.
    func change<Value: Sendable>(
        _ app: AppID, _ credential: Credential, nowMs: Int64, asking questions: InstallQuestions = InstallQuestions(),
        _ steps: @escaping @Sendable (inout InstallRecord) throws -> Value
    ) async throws -> (install: Install, value: Value) {
        let unit = InstallUnit(
            app, credential.installID, credential, storeEpoch: storeEpoch, nowMs: nowMs, clock: clock, webhook: webhooks.installNote(nowMs: nowMs))
        let changed = try await database.write(.interactive, locking: questions.locks(of: unit)) { connection in
            var record = try InstallRecord(unit, asking: questions, from: connection)
            let value = try steps(&record)
            try record.write(to: connection)
            return (install: record.install, value: value, isNew: record.isNew, facts: record.newFacts)
        }
        feed?.changed(changed.install, isNew: changed.isNew, adding: changed.facts, nowMs: nowMs)
        return (changed.install, changed.value)
    }
}
