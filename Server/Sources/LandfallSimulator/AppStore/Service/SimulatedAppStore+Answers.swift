// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the App Store Server API answers.
extension SimulatedAppStore {
    private static let page = 20

    struct History: Encodable {
        let revision: String
        let hasMore: Bool
        let bundleId: String
        let appAppleId: Int64?
        let environment: String
        let signedTransactions: [String]
    }

    struct Refunds: Encodable {
        let signedTransactions: [String]
        let revision: String
        let hasMore: Bool
    }

    struct Statuses: Encodable {
        struct Group: Encodable {
            let subscriptionGroupIdentifier: String
            let lastTransactions: [Last]
        }
        struct Last: Encodable {
            let originalTransactionId: String
            let status: Int
            let signedTransactionInfo: String
            let signedRenewalInfo: String
        }
        let environment: String
        let bundleId: String
        let appAppleId: Int64?
        let data: [Group]
    }

    struct Transaction: Encodable { let signedTransactionInfo: String }

    struct NotificationHistory: Encodable {
        struct Item: Encodable {
            let signedPayload: String
            let sendAttempts: [HeldLife.Attempt]
        }
        let paginationToken: String?
        let hasMore: Bool
        let notificationHistory: [Item]
    }

    func history(of id: String, _ query: HistoryQuery, at now: Int64) throws -> History {
        let lives = try lives(ofCustomerOf: id, at: now)
        let (page, revision, hasMore) = try page(of: lives, query, at: now)
        let environment = lives[0].life.product.environment
        return History(
            revision: revision, hasMore: hasMore, bundleId: app.bundleID, appAppleId: environment == .sandbox ? nil : app.appleID,
            environment: environment.name ?? "Production", signedTransactions: page
        )
    }

    func refunds(of id: String, revision: String?, at now: Int64) throws -> Refunds {
        var query = HistoryQuery()
        query.revision = revision
        query.isRevoked = true
        let (page, revision, hasMore) = try page(of: lives(ofCustomerOf: id, at: now), query, at: now)
        return Refunds(signedTransactions: page, revision: revision, hasMore: hasMore)
    }

    /// Sorted by their newest change, so that what changes after a page was read comes again.
    private func page(of lives: [HeldLife], _ query: HistoryQuery, at now: Int64) throws -> ([String], String, Bool) {
        var found = lives.flatMap { $0.transactions(at: now) }.filter { query.wants($0.transaction) }
        found.sort { ($0.modified, $0.transaction.transactionId) < ($1.modified, $1.transaction.transactionId) }
        if query.isDescending { found.reverse() }
        if let text = query.revision {
            guard let mark = PageMark(text) else { throw AppleError.invalidRevision }
            found.removeAll { found in
                let place = (found.modified, found.transaction.transactionId)
                return query.isDescending ? place >= (mark.at, mark.id) : place <= (mark.at, mark.id)
            }
        }
        let page = found.prefix(Self.page)
        let revision = page.last.map { PageMark(at: $0.modified, id: $0.transaction.transactionId).text } ?? query.revision
        return (try page.map { try signedNow($0.transaction, now) }, revision ?? PageMark(at: 0, id: "").text, found.count > page.count)
    }

    func transaction(_ id: String, at now: Int64) throws -> Transaction {
        guard let found = found(id, at: now) else { throw AppleError.transactionNotFound }
        return Transaction(signedTransactionInfo: try signedNow(found.transaction, now))
    }

    func statuses(of id: String, only wanted: Set<Int>, at now: Int64) throws -> Statuses {
        let lives = try lives(ofCustomerOf: id, at: now)
        var groups: [String: [Statuses.Last]] = [:]
        for held in lives {
            guard var current = held.subscription(at: now), wanted.isEmpty || wanted.contains(current.status) else { continue }
            current.renewal.signedDate = now
            groups[current.transaction.subscriptionGroupIdentifier ?? "", default: []].append(
                .init(
                    originalTransactionId: held.originalID, status: current.status,
                    signedTransactionInfo: try signedNow(current.transaction, now), signedRenewalInfo: try signer.sign(current.renewal)
                )
            )
        }
        let environment = lives[0].life.product.environment
        return Statuses(
            environment: environment.name ?? "Production", bundleId: app.bundleID, appAppleId: environment == .sandbox ? nil : app.appleID,
            data: groups.sorted { $0.key < $1.key }.map { .init(subscriptionGroupIdentifier: $0.key, lastTransactions: $0.value) }
        )
    }

    /// As the App Store signs what it is asked for: now.
    private func signedNow(_ transaction: TransactionPayload, _ now: Int64) throws -> String {
        var transaction = transaction
        transaction.signedDate = now
        return try signer.sign(transaction)
    }

    func notifications(_ query: NotificationQuery, token: String?, at now: Int64) throws -> NotificationHistory {
        if let fault = query.fault(at: now) { throw fault }
        var found = told(at: now).filter { query.wants($0.held, $0.index) }
        if let token {
            guard let mark = PageMark(token) else { throw AppleError.invalidPaginationToken }
            found.removeAll { $0.held.place(of: $0.index) <= (mark.at, mark.id) }
        }
        let page = found.prefix(Self.page)
        let hasMore = found.count > page.count
        let last = page.last.map { $0.held.place(of: $0.index) }
        return NotificationHistory(
            paginationToken: hasMore ? last.map { PageMark(at: $0.0, id: $0.1).text } : nil,
            hasMore: hasMore,
            notificationHistory: try page.compactMap { held, index in
                try held.life.notification(held.life.events[index], signer: signer)
                    .map { .init(signedPayload: try signer.sign($0), sendAttempts: held.attempts[index] ?? []) }
            }
        )
    }

    func testStatus(_ token: String) throws -> NotificationHistory.Item {
        guard token.wholeMatch(of: /[0-9a-f-]{36}_[0-9]+/) != nil else { throw AppleError.invalidTestToken }
        guard let sent = tests[token] else { throw AppleError.testNotFound }
        return .init(signedPayload: try signer.sign(sent.payload), sendAttempts: sent.attempts)
    }
}

/// Where a page ended.
struct PageMark {
    let at: Int64
    let id: String

    init(at: Int64, id: String) { (self.at, self.id) = (at, id) }

    init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]) else { return nil }
        self.init(at: at, id: String(parts[1]))
    }

    var text: String { "\(at)_\(id)" }
}
