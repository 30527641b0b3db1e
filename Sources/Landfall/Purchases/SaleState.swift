// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What the app sells here: the purchases under way, and sold transactions that the server does not have. The store on the phone keeps
/// each of them until it is finished, which follows the server's answer.
struct SaleState: Sendable {
    enum Effect: Hashable, Sendable {
        /// Hears what the store reports, as long as the client lives.
        case listen
        /// Reads what is unfinished.
        case read
        case send(SaleReport)
    }

    typealias Caller = CheckedContinuation<PurchaseResult, any Error>

    let hasSource: Bool
    private var isListening = false
    private var isReadingDue = false
    private(set) var reading: Operations.ID?
    /// nil until the files have been read.
    private var known: SaleMemory?
    /// The store's sheet is open for this product, or its purchase waits for the server.
    private(set) var productID: String?
    private var callers: [Int: Caller] = [:]
    /// By the id of the transaction.
    private var waiting: [String: SoldTransaction] = [:]
    /// The server has them, or does not want them. What is unfinished comes again in the next launch.
    private var settled: Set<StoreTransaction> = []
    /// Who waits for the server's word on a transaction.
    private var listeners: [String: AsyncStream<SaleOutcome>.Continuation] = [:]
    /// The server takes no reports in this launch.
    private var isRefused = false
    var sending = RetryableOperation()

    init(hasSource: Bool) { self.hasSource = hasSource }

    /// As it is stored.
    var memory: SaleMemory { known ?? SaleMemory() }
    var waitingCount: Int { waiting.count }

    mutating func opened(_ memory: SaleMemory?, of install: InstallID) {
        known = memory.flatMap { $0.install == install ? $0 : nil } ?? SaleMemory(of: install)
        lookAgain()
    }

    /// The store may have more than before.
    mutating func lookAgain() { if isSelling { isReadingDue = true } }

    /// Of the next installation. Callers of a purchase under way get its answer; whatever it sells stays with the store.
    init(after before: SaleState) {
        self.init(hasSource: before.hasSource)
        isListening = before.isListening
        productID = before.productID
        callers = before.callers
    }
}

// MARK: Purchases under way

extension SaleState {
    /// - Returns: true if the caller's purchase has to begin, and does not join one that runs.
    mutating func join(_ id: Int, _ caller: Caller, for product: String) throws(PurchaseError) -> Bool {
        if let productID, productID != product { throw .underWay(productID) }
        callers[id] = caller
        defer { productID = product }
        return productID == nil
    }

    mutating func leave(_ id: Int) -> Caller? { callers.removeValue(forKey: id) }

    /// The purchase is over.
    mutating func takeCallers() -> [Caller] {
        defer { callers = [:] }
        productID = nil
        return Array(callers.values)
    }

    mutating func offer(_ productID: String, after exposure: String?, at date: Date) {
        known?.offer(productID, after: exposure, at: date)
    }

    mutating func withdraw(_ productID: String) { known?.withdraw(productID) }

    /// - Parameter listener: hears what the server says, or that it says nothing in this launch.
    mutating func sold(_ sold: SoldTransaction, telling listener: AsyncStream<SaleOutcome>.Continuation) {
        known?.sold(sold)
        guard !isRefused, sold.transaction.isFit else { return tell(listener, .unanswered) }
        // What was rejected before is tried again: the person has asked for it.
        settled.remove(sold.transaction)
        waiting[sold.transaction.id] = sold
        listeners[sold.transaction.id] = listener
    }

    private func tell(_ listener: AsyncStream<SaleOutcome>.Continuation?, _ outcome: SaleOutcome) {
        listener?.yield(outcome)
        listener?.finish()
    }
}

// MARK: Transactions of the store

extension SaleState {
    private var isSelling: Bool { hasSource && known?.offers.isEmpty == false }

    /// Work on the phone alone.
    var lookingEffects: [Effect] {
        guard isSelling else { return [] }
        return (isListening ? [] : [.listen]) + (isReadingDue && reading == nil ? [.read] : [])
    }

    mutating func begunListening() { isListening = true }

    mutating func begunReading(_ operation: Operations.ID) {
        reading = operation
        isReadingDue = false
    }

    /// - Parameter isAll: they are all that is unfinished.
    /// - Returns: true if the memory has changed.
    mutating func found(_ transactions: [SoldTransaction], isAll: Bool) -> Bool {
        if isAll { reading = nil }
        var isChanged = false
        for found in transactions where memory.offers[found.productID] != nil && isWanted(found.transaction) {
            isChanged = known?.came(found) == true || isChanged
            waiting[found.transaction.id] = found
        }
        return isChanged
    }

    private func isWanted(_ transaction: StoreTransaction) -> Bool {
        guard transaction.isFit, !settled.contains(transaction) else { return false }
        return waiting[transaction.id].map { $0.transaction.signedAt < transaction.signedAt } ?? true
    }
}

// MARK: The server

/// One transaction for the server, by itself: no other one's fault delays it.
struct SaleReport: Hashable, Sendable {
    let sold: SoldTransaction
    /// A purchase claims it for the person; a renewal does not.
    let reason: PurchaseReason
    let exposure: String?

    var batch: PurchaseBatch { PurchaseBatch(from: [sold.transaction], atMost: 1, isWhole: false) }
}

/// What became of a sold transaction.
enum SaleOutcome: Hashable, Sendable {
    case stored(Profile)
    case rejected(ErrorCode)
    /// The server takes no report in this launch.
    case unanswered

    /// The server has it for good.
    var isStored: Bool {
        switch self {
        case .stored, .rejected(.purchaseOwned): true
        case .rejected, .unanswered: false
        }
    }
}

extension SaleState {
    /// The oldest first; nil if there is nothing to say, or something is being said.
    var next: SaleReport? {
        guard !isRefused, !sending.isRunning, let known else { return nil }
        let oldest = waiting.values.min { ($0.transaction.signedAt, $0.transaction.id) < ($1.transaction.signedAt, $1.transaction.id) }
        return oldest.map { sold in
            let sale = known.sales[sold.transaction.id]
            return SaleReport(sold: sold, reason: sale == nil ? .sync : .purchase, exposure: sale?.exposure)
        }
    }

    mutating func answered(_ report: SaleReport, _ outcome: SaleOutcome) {
        sending = RetryableOperation()
        let transaction = report.sold.transaction
        settled.insert(transaction)
        if outcome.isStored { known?.stored(transaction.id) }
        if waiting[transaction.id]?.transaction == transaction { waiting[transaction.id] = nil }
        tell(listeners.removeValue(forKey: transaction.id), outcome)
    }

    mutating func failed(now: Duration, chance: Double) {
        sending.operation = nil
        sending.retry.failed(now: now, chance: chance)
    }

    /// The server refuses the report.
    /// - Parameter isAboutContent: because of this transaction; else it takes none.
    mutating func refused(_ report: SaleReport, isAboutContent: Bool) {
        answered(report, .unanswered)
        guard !isAboutContent else { return }
        isRefused = true
        for listener in listeners.values { tell(listener, .unanswered) }
        listeners = [:]
    }
}
