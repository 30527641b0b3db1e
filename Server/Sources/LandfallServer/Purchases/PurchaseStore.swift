// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
package import LandfallStore
import LandfallWire

/// What phones report of purchases: stored, folded, and whose they are, in one transaction. The phone lets go of a transaction once it is
/// on disk here.
package struct PurchaseStore: Sendable {
    /// A text of the report, after every check of its signature.
    enum Item: Sendable {
        case signed(SignedTransaction, exposure: String?)
        case refused(ErrorCode)
    }

    private let database: any Database
    private let storeEpoch: Int64
    private let tokens: PurchaseTokens
    private let headers: StoredHeaders
    private let webhooks: WebhookNeed

    /// - Parameter headers: what this node has stored of the certificates.
    package init(
        _ database: any Database, _ mark: StoreMark, headers: StoredHeaders = StoredHeaders(), webhooks: WebhookNeed = WebhookNeed()
    ) {
        self.webhooks = webhooks
        self.database = database
        self.headers = headers
        storeEpoch = mark.epoch
        tokens = PurchaseTokens(key: mark.purchaseKey)
    }

    /// Returns after everything is on disk.
    /// - Parameter items: one for each transaction of the report.
    /// - Returns: a result for each of them, and the install with what its profile may use now.
    /// - Throws: ``InstallError``, `DatabaseError`, `CancellationError`.
    func take(
        _ report: PurchaseReport, _ items: [Item], _ app: AppID, _ credential: Credential, by snapshot: Snapshot, nowMs: Int64
    ) async throws -> (results: [PurchaseAnswer.Result], install: Install) {
        let key = try RequestKey(report.key, .purchases, report)
        let note = webhooks.note(of: .firstOpen, .attributionDecided, .purchaseRecorded, .accessChanged, nowMs: nowMs)
        let unit = InstallUnit(app, credential.installID, credential, storeEpoch: storeEpoch, nowMs: nowMs, webhook: note)
        let reported = ReportedPurchases(items)
        let rules = snapshot.configuration.purchases
        let chains = reported.chains.map { chain in
            (
                unit: ChainUnit(
                    chain.facts, rules: rules, tokens: tokens, app: app, nowMs: nowMs, tellsCharges: note?.wants(.purchaseRecorded) ?? false),
                reported: chain
            )
        }
        let missing = reported.headers.filter { !headers.contains($0.headerHash) }
        let isExplicit = report.reason == .purchase || report.reason == .restore
        // Everybody takes the chains first: two phones with one chain, each of which also waits for the other's profile, would wait in a circle.
        let answer = try await database.write(.interactive, locking: chains.map(\.unit.lock)) { connection in
            try connection.lock(InstallQuestions().locks(of: unit))
            let (profile, _, admitted) = try unit.admit(in: connection, holdingFacts: true)
            var keys = try RequestKeys(connection.rows(RequestKeys.questions([key], of: unit.id, in: app)))
            let isNew = try keys.use(key)
            let opens = try reported.hasSandbox ? Self.takesSandbox(of: unit, by: snapshot, connection) : true
            try connection.batch(missing.map { $0.headerInsertion(into: app) } + keys.insertions(of: unit))
            var results = reported.results
            var changed: Set<ProfileID> = []
            var charges: [RecordedCharge] = []
            for (chain, reported) in chains {
                guard opens || chain.chain.environment == .production else {
                    for index in reported.places { results[index].reject(.purchaseEnvironment) }
                    continue
                }
                let claim = ChainClaim(profile: profile, install: unit.id, isExplicit: isExplicit)
                let outcome = try chain.add(
                    receivedAtMs: nowMs, by: ChainUnit.Claim(claim: claim, isNew: isNew, exposure: reported.exposure), to: connection)
                changed.formUnion(outcome.profiles)
                charges += outcome.charges
                for (index, isNew) in zip(reported.places, outcome.isNew) {
                    results[index].status = isNew ? .accepted : .duplicate
                    if !outcome.mayUse { results[index].reject(.purchaseOwned) }
                }
            }
            // A repeated call may come from a phone that shows another person by now.
            let complete = isNew && report.historyComplete ? profile : nil
            let accesses = try AccessUnit(app: app, nowMs: nowMs).fold(changed, complete: complete, connection)
            if let note {
                let facts = try admitted + note.facts(of: charges, in: app, connection)
                    + note.facts(of: accesses, near: unit.id, in: app, connection)
                for row in note.insertions(of: facts, into: app) { try connection.run(row) }
            }
            guard let stored = try StoredInstall(app, unit.id, storeEpoch: unit.storeEpoch, from: connection) else {
                throw InstallError.profileErased
            }
            return (results: results, install: stored.install)
        }
        for jws in missing { headers.insert(jws.headerHash) }
        return answer
    }

    /// Whether purchases of Apple's sandbox count if this install reports them.
    private static func takesSandbox(of unit: InstallUnit, by snapshot: Snapshot, _ connection: any ReadConnection) throws -> Bool {
        switch snapshot.configuration.purchases.sandbox {
        case .grant: true
        case .refuse: false
        case .testers:
            try StoredInstall(unit.app, unit.id, storeEpoch: unit.storeEpoch, from: connection)
                .map { snapshot.testDevices.device($0.install) != nil } ?? false
        }
    }
}

/// The transactions of a report by chain: a chain is folded once, however many of them it has.
private struct ReportedPurchases: Sendable {
    struct Chain: Sendable {
        var facts: [StoredFact] = []
        /// Of each fact in the report.
        var places: [Int] = []
        var exposure: String?
    }

    /// In the order of their ids: so every unit takes its locks in one order.
    let chains: [Chain]
    /// Each once, in one order.
    let headers: [VerifiedJWS]
    /// What is known without the store.
    let results: [PurchaseAnswer.Result]
    let hasSandbox: Bool

    init(_ items: [PurchaseStore.Item]) {
        var chains: [ChainID: Chain] = [:], headers: [[UInt8]: VerifiedJWS] = [:]
        for (place, item) in items.enumerated() {
            guard case .signed(let signed, let exposure) = item else { continue }
            var chain = chains[signed.chain] ?? Chain()
            chain.facts.append(StoredFact(signed))
            chain.places.append(place)
            chain.exposure = chain.exposure ?? exposure
            chains[signed.chain] = chain
            headers[signed.jws.headerHash] = signed.jws
        }
        self.chains = chains.sorted { $0.key < $1.key }.map(\.value)
        self.headers = headers.values.inOneOrder
        hasSandbox = chains.keys.contains { $0.environment != .production }
        results = items.map { item in
            switch item {
            case .signed(let signed, _): PurchaseAnswer.Result(transactionId: signed.transaction.transactionID, status: .accepted)
            case .refused(let code): PurchaseAnswer.Result(status: .rejected, code: code)
            }
        }
    }
}

extension PurchaseAnswer.Result {
    fileprivate mutating func reject(_ code: ErrorCode) { (status, self.code) = (.rejected, code) }
}
