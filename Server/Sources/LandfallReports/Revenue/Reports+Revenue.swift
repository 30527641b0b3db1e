// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer

extension Reports {
    /// Revenue by the facts and the rules of now. It reads the rows of its days: see ``RowReader`` for how many do so at a time.
    /// - Parameter moment: nil for one of its own.
    /// - Throws: ``ReportError``; `busy` if too many reports read the store's rows; the errors of the store.
    package func answer(
        _ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment? = nil
    ) async throws -> RevenueDocument {
        let store = if let moment { moment.store } else { try await self.moment(snapshot).store }
        return try await store.rows.run {
            switch request.view {
            case .purchase, .booking:
                guard !request.isVerified else { throw ReportError.unansweredRevenue }
                return try await charged(request, snapshot, store)
            case .subscriptions, .cohorts: throw ReportError.unansweredRevenue
            }
        }
    }

    private func charged(_ request: RevenueRequest, _ snapshot: Snapshot, _ store: ReportStore) async throws -> RevenueDocument {
        var report = RevenueReport(request, snapshot.configuration.purchases.money)
        try await RevenueReader(database: store.database, app: snapshot.app.id)
            .forEach(request.view, request.days.days, by: request.by, countsPayers: request.countsPayers) { try report.add($0) }
        return report.document()
    }
}
