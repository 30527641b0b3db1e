// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The transactions of the store on this phone: which ones the server has, and what to send next. Nothing here finishes one.
struct PurchaseState: Sendable {
    enum Effect: Hashable, Sendable {
        /// Hears what the store reports, as long as the client lives.
        case listen
        /// Reads the whole history.
        case read
        case send
    }

    let hasSource: Bool
    private(set) var isObserving = false
    private var isListening = false
    /// The history has to be read: the store does not report what the app itself sells on this phone.
    private var isReadingDue = false
    private(set) var reading: Operations.ID?
    /// The history was read in this launch.
    private var wasRead = false
    /// nil until the files have been read.
    private var known: PurchaseMemory?
    /// Seen in this launch, by id, and not known to be at the server.
    private var waiting: [String: StoreTransaction] = [:]
    /// The server does not want them. They are tried again in the next launch: its settings may be others then.
    private var refused: Set<StoreTransaction> = []
    /// The server takes no reports in this launch.
    private var isRefused = false
    private var batchLimit = Limits.purchases
    var sending = RetryableOperation()

    init(hasSource: Bool) { self.hasSource = hasSource }

    /// As it is stored.
    var memory: PurchaseMemory { known ?? PurchaseMemory() }
    var waitingCount: Int { waiting.count }

    /// The server would wait for what this phone may bring, and it has never had the whole history.
    var isHistoryComing: Bool { isObserving && !isRefused && known?.isComplete != true }

    /// - Returns: false if it does already, or there is no store.
    mutating func observe() -> Bool {
        guard hasSource, !isObserving else { return false }
        isObserving = true
        isReadingDue = true
        return true
    }

    mutating func opened(_ memory: PurchaseMemory?, of install: InstallID) {
        known = memory.flatMap { $0.install == install ? $0 : nil } ?? PurchaseMemory(of: install)
        waiting = waiting.filter { !self.memory.hasAcknowledged($0.value) }
    }

    /// The store may have more than before.
    mutating func lookAgain() { if isObserving { isReadingDue = true } }

    mutating func begunListening() { isListening = true }

    mutating func begunReading(_ operation: Operations.ID) {
        reading = operation
        isReadingDue = false
    }

    /// - Parameter isWhole: it is the whole history.
    mutating func found(_ transactions: [StoreTransaction], isWhole: Bool) {
        for transaction in transactions where isWanted(transaction) { waiting[transaction.id] = transaction }
        guard isWhole else { return }
        reading = nil
        wasRead = true
    }

    private func isWanted(_ transaction: StoreTransaction) -> Bool {
        guard transaction.isFit, !refused.contains(transaction), !memory.hasAcknowledged(transaction) else { return false }
        return waiting[transaction.id].map { $0.signedAt < transaction.signedAt } ?? true
    }

    /// - Returns: true if the memory has changed.
    mutating func belongs(to person: ProfileID) -> Bool {
        let before = known?.profile
        guard known?.belongs(to: person) == true else { return false }
        // What the server has belongs to somebody else.
        if before != nil { lookAgain() }
        return true
    }

    /// Of the next installation: the app goes on observing.
    init(after before: PurchaseState) {
        self.init(hasSource: before.hasSource)
        isObserving = before.isObserving
        isListening = before.isListening
        isReadingDue = before.isObserving
    }
}

// MARK: What follows

extension PurchaseState {
    /// Work on the phone alone.
    var lookingEffects: [Effect] {
        guard isObserving else { return [] }
        return (isListening ? [] : [.listen]) + (isReadingDue && reading == nil ? [.read] : [])
    }

    /// From when the next report may leave; nil if there is nothing to say.
    func sendsFrom(allowedFrom: Duration) -> Duration? {
        guard isObserving, !isRefused, known != nil, !sending.isRunning else { return nil }
        guard !waiting.isEmpty || isWhole && !memory.isComplete else { return nil }
        return max(allowedFrom, sending.retry.notBefore)
    }

    /// The oldest first.
    var nextBatch: PurchaseBatch {
        let ordered = waiting.values.sorted { ($0.signedAt, $0.id) < ($1.signedAt, $1.id) }
        return PurchaseBatch(from: ordered, atMost: batchLimit, isWhole: isWhole)
    }

    /// Everything that the store has was seen.
    private var isWhole: Bool { wasRead && reading == nil && !isReadingDue }
}

// MARK: What the server said

extension PurchaseState {
    /// As ``learned(_:_:of:)``, about the report that was under way.
    mutating func answered(_ batch: PurchaseBatch, _ results: [PurchaseAnswer.Result], to person: ProfileID) -> [ErrorCode]? {
        guard let codes = learned(batch, results, of: person) else { return nil }
        sending = RetryableOperation()
        batchLimit = Limits.purchases
        return codes
    }

    /// - Parameter person: whose purchases they are now.
    /// - Returns: why it rejected some; nil if the answer says nothing about this report.
    mutating func learned(_ batch: PurchaseBatch, _ results: [PurchaseAnswer.Result], of person: ProfileID) -> [ErrorCode]? {
        guard results.count == batch.transactions.count, known?.profile == person else { return nil }
        var codes: [ErrorCode] = []
        for (transaction, result) in zip(batch.transactions, results) {
            if result.isStored {
                known?.acknowledge(transaction)
            } else {
                refused.insert(transaction)
                codes.append(result.code ?? .invalidValue)
            }
            settled(transaction)
        }
        if batch.isComplete { known?.isComplete = true }
        return codes
    }

    mutating func failed(now: Duration, chance: Double) {
        sending.operation = nil
        sending.retry.failed(now: now, chance: chance)
    }

    /// The server refuses the whole report: one transaction may be the reason, so fewer are sent until it is found.
    mutating func refused(_ batch: PurchaseBatch, isAboutContent: Bool) {
        sending = RetryableOperation()
        guard isAboutContent, !batch.transactions.isEmpty else { return isRefused = true }
        if batch.transactions.count > 1 { return batchLimit = batch.transactions.count / 2 }
        batchLimit = Limits.purchases
        for transaction in batch.transactions {
            refused.insert(transaction)
            settled(transaction)
        }
    }

    /// Unless a later signature came meanwhile.
    private mutating func settled(_ transaction: StoreTransaction) {
        if waiting[transaction.id] == transaction { waiting[transaction.id] = nil }
    }
}

extension PurchaseAnswer.Result {
    /// The server has the transaction for good.
    var isStored: Bool { status != .rejected || code == .purchaseOwned }
}

extension ErrorCode {
    /// Genuine and stored, but another profile owns it and keeps it.
    static let purchaseOwned = ErrorCode("purchase_owned")
}
