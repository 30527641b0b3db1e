// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the simulated App Store knows: lives that have begun, their customers, and what is to be posted. It has no clock: every call
/// says what time it is, in Unix milliseconds.
actor SimulatedAppStore {
    /// A request that cannot be met, with advice.
    enum Refusal: Error, Equatable {
        case badRequest(String)
        case unknown(String)
        case conflict(String)
        case full(String)
    }

    /// By so many days at most is a shuffled notification late.
    private static let longestDelay: Int64 = 45

    nonisolated let app: SimulatedApp
    nonisolated let signer: JWSSigner
    private let day: Int64
    private let limit: Int
    private let seed: UInt64
    private var seeds: SeededNumbers
    private var uuids: LifeNumbers

    private var lives: [Int: HeldLife] = [:]
    private var order: [Int] = []
    private var lifeOfTransaction: [String: Int] = [:]
    private var livesOfCustomer: [String: [Int]] = [:]
    private var agenda = PostAgenda()
    private var lastNumber = 0
    private(set) var tests = TestNotifications()

    /// - Parameters:
    ///   - day: how long a day lasts, in milliseconds.
    ///   - limit: so many lives are held; those that are over are forgotten then, the oldest first.
    init(app: SimulatedApp, signer: JWSSigner, seed: UInt64, day: Int64 = SimulatedPeriod.day, limit: Int = 10_000) {
        self.app = app
        self.signer = signer
        self.day = day
        self.limit = limit
        self.seed = seed
        seeds = SeededNumbers(seed)
        uuids = LifeNumbers(productID: "", isSandbox: false, seed: seed)
    }

    /// Begins a life now.
    func buy(_ purchase: SimulatedPurchase, at now: Int64) throws -> (transactionID: String, jws: String) {
        if let fault = purchase.fault { throw Refusal.badRequest(fault) }
        let life: PurchaseLife
        do {
            // The seed is only used up by a purchase that is one.
            var seeds = seeds
            life = try PurchaseLife(purchase, seed: seeds.next(), start: now, day: day, app: app)
            try makeRoom()
            self.seeds = seeds
        } catch let error as SimulatedProductError {
            throw Refusal.badRequest(error.description)
        }
        guard let first = life.events.first?.transaction else { throw Refusal.badRequest("The product id orders no purchase.") }
        lastNumber += 1
        let held = HeldLife(life)
        lives[lastNumber] = held
        order.append(lastNumber)
        for id in held.transactionIDs { lifeOfTransaction[id] = lastNumber }
        livesOfCustomer[held.customer, default: []].append(lastNumber)
        agenda.plan(.init(at: now, step: .event(life: lastNumber)))
        return (first.transactionId, try signer.sign(first))
    }

    func refund(_ id: String, at now: Int64) throws {
        guard let (number, transaction) = found(id, at: now) else { throw Refusal.unknown("Transaction '\(id)' is not known.") }
        guard transaction.revocationDate == nil else { throw Refusal.conflict("Transaction '\(id)' is refunded already.") }
        lives[number]?.refund(transaction, at: now, uuid: uuids.uuid())
        agenda.plan(.init(at: now, step: .event(life: number)))
    }

    func setToken(_ token: String, ofOriginal id: String, at now: Int64) throws(AppleError) {
        guard let number = found(id, at: now)?.life, let held = lives[number] else { throw .transactionNotFound }
        guard held.originalID == id else { throw .notOriginal }
        guard !held.life.product.isFamilyShared else { throw .familyTransaction }
        lives[number]?.setToken(token.lowercased(), at: now)
        agenda.plan(.init(at: now, step: .event(life: number)))
    }

    /// The lives of the customer who made a transaction.
    func lives(ofCustomerOf id: String, at now: Int64) throws(AppleError) -> [HeldLife] {
        guard let number = found(id, at: now)?.life, let customer = lives[number]?.customer else { throw .transactionNotFound }
        return (livesOfCustomer[customer] ?? []).compactMap { lives[$0] }
    }

    /// The newest version of a transaction that has happened, and its life.
    func found(_ id: String, at now: Int64) -> (life: Int, transaction: TransactionPayload)? {
        guard let number = lifeOfTransaction[id],
            let found = lives[number]?.transactions(at: now).first(where: { $0.transaction.transactionId == id })
        else { return nil }
        return (number, found.transaction)
    }

    /// Everything that was to be told until now, in order of time.
    func told(at now: Int64) -> [(held: HeldLife, index: Int)] {
        order.compactMap { lives[$0] }.flatMap { held in
            held.life.events.indices.filter { held.life.events[$0].at <= now && held.life.events[$0].notice != nil }.map { (held, $0) }
        }
        .sorted { $0.held.place(of: $0.index) < $1.held.place(of: $1.index) }
    }

    private func makeRoom() throws {
        guard lives.count >= limit else { return }
        guard let place = order.firstIndex(where: { lives[$0]?.isOver == true }) else {
            throw Refusal.full("\(limit) lives are held and none of them is over. Wait, shorten the days with --day, or start again.")
        }
        let number = order.remove(at: place)
        guard let held = lives.removeValue(forKey: number) else { return }
        for id in held.transactionIDs { lifeOfTransaction[id] = nil }
        livesOfCustomer[held.customer]?.removeAll { $0 == number }
        if livesOfCustomer[held.customer]?.isEmpty == true { livesOfCustomer[held.customer] = nil }
    }

    var lifeCount: Int { lives.count }

    // MARK: - Posting

    /// Up to so many posts that are due.
    func due(at now: Int64, limit: Int) throws -> [NotificationPost] {
        var posts: [NotificationPost] = []
        while posts.count < limit, let entry = agenda.next(at: now) {
            switch entry.step {
            case .event(let number): happen(number, at: now)
            case .post(let subject, let attempt):
                if let body = try body(of: subject) { posts.append(NotificationPost(subject: subject, attempt: attempt, body: body)) }
            }
        }
        return posts
    }

    /// Plans the posts of what has happened in a life until now, and the life's next event.
    private func happen(_ number: Int, at now: Int64) {
        guard var held = lives[number] else { return }
        let events = held.life.events, product = held.life.product
        while held.next < events.count, events[held.next].at <= now {
            let index = held.next
            held.next += 1
            guard events[index].notice != nil else { continue }
            var numbers = SeededNumbers(seed &+ UInt64(number) << 32 &+ UInt64(index))
            for _ in 0...product.repeats {
                let late = product.isShuffled ? Int64.random(in: 0...Self.longestDelay * day, using: &numbers) : 0
                agenda.plan(.init(at: now + late, step: .post(.event(life: number, index: index), attempt: 0)))
                held.pending += 1
            }
        }
        lives[number] = held
        if held.next < events.count { agenda.plan(.init(at: events[held.next].at, step: .event(life: number))) }
    }

    private func body(of subject: NotificationPost.Subject) throws -> Data? {
        switch subject {
        case .event(let number, let index): try lives[number].flatMap { try $0.life.post($0.life.events[index], signer: signer) }
        case .test(let token): try tests[token].map { try signer.body($0.payload) }
        }
    }

    /// Notes how a try ended, and plans the next one.
    func answered(_ post: NotificationPost, status: Int?, at now: Int64) {
        let attempt = HeldLife.Attempt(attemptDate: now, sendAttemptResult: NotificationPost.result(status))
        switch post.subject {
        case .test(let token): tests.note(attempt, token)
        case .event(let number, let index):
            guard let held = lives[number] else { return }
            lives[number]?.attempts[index, default: []].append(attempt)
            lives[number]?.pending -= 1
            guard !NotificationPost.isFinal(status), held.life.product.environment != .sandbox, post.attempt < NotificationPost.waits.count
            else { return }
            lives[number]?.pending += 1
            let wait = Int64(Double(NotificationPost.waits[post.attempt]) * Double(day) / 24)
            agenda.plan(.init(at: now + wait, step: .post(post.subject, attempt: post.attempt + 1)))
        }
    }

    func test(at now: Int64) -> String {
        let payload = NotificationPayload(
            notificationType: "TEST", notificationUUID: uuids.uuid(), signedDate: now,
            data: .init(appAppleId: app.appleID, bundleId: app.bundleID, bundleVersion: app.version, environment: "Production")
        )
        let token = "\(payload.notificationUUID)_\(now)"
        tests.add(payload, token)
        agenda.plan(.init(at: now, step: .post(.test(token: token), attempt: 0)))
        return token
    }
}
