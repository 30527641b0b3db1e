// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Logging

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension TestServer {
    var app: AppID { services.snapshot.app.id }

    /// Apple's request, which has no key.
    func notify(_ signedPayload: String) async throws -> TestResponse {
        try await send(.post, NotificationRoutes.path, signedPayload.asNotification, phone: nil, key: nil)
    }

    func counts(_ tables: [String]) async throws -> [Int64] {
        try await services.database.read { connection in
            try tables.map { try connection.row("SELECT COUNT(*) AS count FROM \($0)")?.integer("count") ?? -1 }
        }
    }

    func rows(_ text: String) async throws -> [Row] { try await services.database.read { try $0.rows(text) } }

    /// What the folds have left, without times of this server.
    func folded() async throws -> [[SQLValue]] {
        try await rows("SELECT chain_id, facts FROM purchase_chain ORDER BY chain_id").map(\.values)
            + rows("SELECT * FROM charge ORDER BY chain_id, transaction_id, kind, number").map(\.values)
    }

    func jobKeys() async throws -> [String] {
        try await services.database.read { connection in
            try connection.rows("SELECT job_key FROM job ORDER BY job_key").map { try $0.text("job_key") }
        }
    }

    /// One try of each notification that waits, as the runner would make it.
    @discardableResult
    func workOnNotifications(_ limit: Int = 100) async throws -> [JobStep] {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        guard let work = services.works(logger).first(where: { $0.kind == .notification }) else { return [] }
        let nowMs = services.time.nowMs(), queue = JobQueue(database: services.database)
        var steps: [JobStep] = []
        for job in try await queue.lease(.notification, limit, nowMs: nowMs, leaseMs: work.leaseMs) {
            let step = try await work.attempt(job)
            try await queue.move(job, step)
            steps.append(step)
        }
        return steps
    }
}
