// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallReports
import LandfallSQLite
import LandfallServer
import LandfallSimulator
import Logging
import NIOEmbedded

/// The demo's purchase, and what the report of revenue says of it.
struct DemoSales {
    /// How long the report is asked for renewal and refund. They take three seconds.
    private static let patience = Duration.seconds(20)

    let appStore: DemoAppStore
    let database: SQLiteDatabase
    let configurationFile: String
    let logger: Logger

    /// - Returns: what the phone got, and the report of today.
    /// - Throws: the errors of ``DemoSale/run()``; ``DemoSaleUntold`` if renewal and refund are not in the report in time.
    func show(on server: URL, folder: URL) async throws -> (sale: DemoSale.Outcome, table: [String]) {
        let today = Date().day
        var options = AppStoreSimulator.Options(notify: server.appending(path: "v1/app-store/notifications"))
        options.day = DemoSale.day
        return try await Listening.run({ [options, appStore, logger] report in
            AppStoreSimulator(options, chain: appStore.chain, logger: logger, onListening: report)
        }) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw DemoFailure.refused("port \(port)") }
            var sale = try await DemoSale(server: server, appStore: url, directory: folder).run()
            let document = try await revenue(since: today)
            sale.earned = DemoSale.Earned(document)
            return (sale, RevenueTable(document).lines)
        }
    }

    /// The report as `landfall revenue` gets it, once it has the refund.
    private func revenue(since day: String) async throws -> RevenueDocument {
        let store = try await HeldStore(
            database: database, configurationFile: configurationFile, trust: appStore.trust(), channel: EmbeddedChannel())
        let target = BackendCall.target(RevenueRoutes.path, [("view", "booking"), ("by", "campaign"), ("from", day)])
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let document = try JSONDecoder().decode(RevenueDocument.self, from: Data(try await store.call(BackendCall("GET", target))))
            if document.totals.numbers[.refunds] ?? 0 > 0, document.totals.numbers[.purchases] ?? 0 > 1 { return document }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw DemoSaleUntold()
    }
}

extension DemoSale.Earned {
    fileprivate init(_ document: RevenueDocument) {
        func number(_ column: RevenueColumn) -> Int64 { document.totals.numbers[column] ?? 0 }
        self.init(
            currency: document.currency ?? "", purchases: number(.purchases), refunds: number(.refunds),
            grossMilliunits: number(.grossMilliunits), refundsMilliunits: number(.refundsMilliunits), netMilliunits: number(.netMilliunits))
    }
}

/// Renewal and refund of the demo's purchase are not in the report of revenue.
struct DemoSaleUntold: Error, CustomStringConvertible {
    var description: String {
        "The simulated App Store's renewal and refund are not in the report of revenue after 20 s. "
            + "The server's log says why, with LANDFALL_LOG_LEVEL=info."
    }
}
