// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallServer

/// `landfall revenue`.
struct RevenueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revenue", abstract: "Shows what people paid in the App Store, by where they came from.",
        discussion: """
            Days are in UTC, and both ends count. --view says how money is laid out on them: purchase (everything on the day of the purchase: a \
            refund takes away from the day that earned it), booking (each payment and each refund on its own day), subscriptions (what \
            is running at the end of each day) or cohorts (by the day of the first open: what these people have paid since). The \
            fields of --by are day, source, channel, campaign, adGroup, keyword, link, placement, paywall, variation, product, country \
            and currency (source where it is left out; day for subscriptions and cohorts).

            Amounts are in the currency of the configuration, by its rates. What no rate converts is in no row; it is listed below the table. \
            Apple tells neither its commission nor the tax, so proceeds are estimates by the configuration. Purchases in the sandbox \
            and in TestFlight are never counted.
            """
    )

    @Option(help: "How money is laid out on days: purchase, booking, subscriptions or cohorts (purchase).")
    var view: String?

    @Flag(help: "Computes everything again from what Apple signed, and says what is stored otherwise.")
    var verify = false

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try options.checkForms()
        let target = BackendCall.target(
            RevenueRoutes.path,
            [("view", view), ("from", options.from), ("to", options.to), ("by", options.by), ("verify", verify ? "true" : nil)])
        let answer = try await options.store.withReach { try await $0.call(BackendCall("GET", target), within: .seconds(600)) }
        let document = try JSONDecoder().decode(RevenueDocument.self, from: Data(answer))
        if options.store.json {
            try options.store.printJSON(document)
        } else if options.csv {
            Output.line(RevenueCSV(document).text)
            // The lines have no place for it.
            for remark in RevenueTable(document).remarks { Output.remark(remark) }
        } else {
            Output.line(RevenueTable(document).lines.joined(separator: "\n"))
        }
    }
}
