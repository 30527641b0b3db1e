// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer

extension Reports {
    /// Revenue by the facts and the rules of now. It reads the rows of its days: see ``RowReader`` for how many do so at a time.
    /// - Parameters:
    ///   - moment: nil for one of its own.
    ///   - patience: how long it waits to read rows.
    /// - Throws: ``ReportError``, ``RevenueError``; `busy` if too many reports read the store's rows; the errors of the store.
    package func answer(
        _ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment? = nil, within patience: Duration = RowReader.patience
    ) async throws -> RevenueDocument {
        let moment = if let moment { moment } else { try await self.moment(snapshot) }
        return try await moment.store.rows.run(within: patience) { try await read(request, snapshot, at: moment) }
    }

    /// The same, and by day alone from the same charges.
    /// - Returns: no days for the views that are not of charges: they are a report of their own.
    package func answerWithDays(
        _ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment
    ) async throws -> (document: RevenueDocument, byDay: RevenueDocument?) {
        try await moment.store.rows.run {
            switch request.view {
            case .purchase, .booking:
                let requests = request.by == [.day] ? [request] : [request, request.byDay]
                let documents = try await charged(requests, snapshot, source(request, snapshot, at: moment))
                return (documents[0], documents.last)
            case .subscriptions, .cohorts: return (try await read(request, snapshot, at: moment), nil)
            }
        }
    }

    private func read(_ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment) async throws -> RevenueDocument {
        let source = source(request, snapshot, at: moment)
        return switch request.view {
        case .purchase, .booking: try await charged([request], snapshot, source)[0]
        case .subscriptions: try await running(request, snapshot, source, nowMs: moment.nowMs)
        case .cohorts: try await cohorts(request, snapshot, source, nowMs: moment.nowMs)
        }
    }

    private func source(_ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment) -> ChargeSource {
        ChargeSource(
            reader: RevenueReader(database: moment.store.database, app: snapshot.app.id),
            verification: request.isVerified ? verification(snapshot, at: moment) : nil, countsPayers: request.countsPayers)
    }

    private func verification(_ snapshot: Snapshot, at moment: Moment) -> RevenueVerification {
        RevenueVerification(
            OriginalsReader(
                moment.store.database, of: snapshot.app, trust: trust, rules: snapshot.configuration.purchases, nowMs: moment.nowMs))
    }

    /// - Parameter requests: of one view and the same days; the first one has all fields that any of them has.
    private func charged(_ requests: [RevenueRequest], _ snapshot: Snapshot, _ source: ChargeSource) async throws -> [RevenueDocument] {
        var reports = requests.map { RevenueReport($0, snapshot.configuration.purchases.money) }
        let verified = try await source.forEach(requests[0].view, requests[0].days.days, by: requests[0].read) { charges in
            for index in reports.indices { try reports[index].add(charges) }
        }
        var documents: [RevenueDocument] = []
        for (request, report) in zip(requests, reports) {
            let spend = try await spend(request, snapshot, source, currency: report.currency)
            documents.append(report.document(verified: verified, spend: spend.milliunits))
        }
        return documents
    }

    private func spend(
        _ request: RevenueRequest, _ snapshot: Snapshot, _ source: ChargeSource, currency: String?
    ) async throws -> AdSpend {
        try await AdSpend(
            AppleAdsSpend(source.reader.database, app: snapshot.app.id), request, snapshot.configuration.purchases.money, currency: currency)
    }

    private func cohorts(
        _ request: RevenueRequest, _ snapshot: Snapshot, _ source: ChargeSource, nowMs: Int64
    ) async throws -> RevenueDocument {
        let (cohorts, verified) = try await CohortReader(source: source).read(request, snapshot, nowMs: nowMs)
        let spend = try await spend(request, snapshot, source, currency: cohorts.currencyCode)
        return cohorts.result(spend: spend.milliunits, brought: spend.installs).document(request, by: request.by, verified: verified)
    }

    private func running(
        _ request: RevenueRequest, _ snapshot: Snapshot, _ source: ChargeSource, nowMs: Int64
    ) async throws -> RevenueDocument {
        var counted = RevenueSubscriptions(request, snapshot.configuration.purchases.money, nowMs: nowMs)
        let by = request.by.filter { $0 != .day }, days = request.days.days
        var origins = RevenueOrigins(source.reader.database, source.reader.app, for: request.read)
        let filter = RevenueFilter(request.filters)
        let verified = try await source.forEachPage(
            purchased: RevenueSubscriptions.purchaseDays(days), servedFromMs: days.lowerBound * Retention.dayMs
        ) { page in
            let running = page.filter { $0.serviceEndsAtMs != nil }
            if origins.areRead { try await origins.learn(Set(running.map(\.chain))) }
            for var dated in running {
                dated.charge.origin = origins[dated.chain]
                if filter.has(dated.charge), let charge = RunningCharge(dated) { counted.add(charge, to: by.map { dated.charge[$0] }) }
            }
        }
        return counted.result().document(request, by: request.by.contains(.day) ? request.by : [.day] + by, verified: verified)
    }
}
