// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer

extension Reports {
    /// Revenue by the facts and the rules of now. It reads the rows of its days: see ``RowReader`` for how many do so at a time.
    /// - Parameter moment: nil for one of its own.
    /// - Throws: ``ReportError``, ``RevenueError``; `busy` if too many reports read the store's rows; the errors of the store.
    package func answer(
        _ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment? = nil
    ) async throws -> RevenueDocument {
        let moment = if let moment { moment } else { try await self.moment(snapshot) }
        let source = ChargeSource(
            reader: RevenueReader(database: moment.store.database, app: snapshot.app.id),
            verification: request.isVerified ? verification(snapshot, at: moment) : nil, countsPayers: request.countsPayers)
        return try await moment.store.rows.run {
            switch request.view {
            case .purchase, .booking: try await charged(request, snapshot, source)
            case .subscriptions: try await running(request, snapshot, source, nowMs: moment.nowMs)
            case .cohorts: try await cohorts(request, snapshot, source, nowMs: moment.nowMs)
            }
        }
    }

    private func verification(_ snapshot: Snapshot, at moment: Moment) -> RevenueVerification {
        RevenueVerification(
            OriginalsReader(
                moment.store.database, of: snapshot.app, trust: trust, rules: snapshot.configuration.purchases, nowMs: moment.nowMs))
    }

    private func charged(_ request: RevenueRequest, _ snapshot: Snapshot, _ source: ChargeSource) async throws -> RevenueDocument {
        var report = RevenueReport(request, snapshot.configuration.purchases.money)
        let verified = try await source.forEach(request.view, request.days.days, by: request.by) { try report.add($0) }
        return report.document(verified: verified)
    }

    private func cohorts(
        _ request: RevenueRequest, _ snapshot: Snapshot, _ source: ChargeSource, nowMs: Int64
    ) async throws -> RevenueDocument {
        let (cohorts, verified) = try await CohortReader(source: source).read(request, snapshot, nowMs: nowMs)
        let spend = try await CohortSpend(
            AppleAdsSpend(source.reader.database, app: snapshot.app.id), request, snapshot.configuration.purchases.money,
            currency: cohorts.currencyCode)
        return cohorts.result(spend: spend.milliunits).document(request, by: request.by, verified: verified)
    }

    private func running(
        _ request: RevenueRequest, _ snapshot: Snapshot, _ source: ChargeSource, nowMs: Int64
    ) async throws -> RevenueDocument {
        var counted = RevenueSubscriptions(request, snapshot.configuration.purchases.money, nowMs: nowMs)
        let by = request.by.filter { $0 != .day }, days = request.days.days
        var origins = RevenueOrigins(source.reader.database, source.reader.app, for: by)
        let verified = try await source.forEachPage(
            purchased: RevenueSubscriptions.purchaseDays(days), servedFromMs: days.lowerBound * Retention.dayMs
        ) { page in
            let running = page.filter { $0.serviceEndsAtMs != nil }
            if origins.areRead { try await origins.learn(Set(running.map(\.chain))) }
            for var dated in running {
                dated.charge.origin = origins[dated.chain]
                if let charge = RunningCharge(dated) { counted.add(charge, to: by.map { dated.charge[$0] }) }
            }
        }
        return counted.result().document(request, by: request.by.contains(.day) ? request.by : [.day] + by, verified: verified)
    }
}
