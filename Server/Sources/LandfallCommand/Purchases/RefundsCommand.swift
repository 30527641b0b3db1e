// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall refunds`.
struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds", abstract: "Asks the App Store for the refunds of the customer who made a transaction.",
        discussion: """
            Needs 'purchases.api' in the configuration and a running server, which asks Apple. Production is asked first, then the \
            sandbox if it counts. What this server had not heard of counts from now on, in access and revenue.
            """
    )

    @Argument(help: "The id of any transaction of the customer.")
    var transaction: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let call = BackendCall("POST", BackendCall.target(RefundRoutes.path, [("transaction", transaction)]))
        let answer = try await store.withReach { try await $0.call(call) }
        let lookup = try JSONDecoder().decode(RefundLookup.self, from: Data(answer))
        if store.json { try store.printJSON(lookup) } else { Output.line(Self.lines(of: lookup).joined(separator: "\n")) }
    }

    static func lines(of lookup: RefundLookup) -> [String] {
        var lines = [
            lookup.refunds.isEmpty
                ? "Apple names no refund of this customer."
                : "Apple names \(lookup.refunds.count) refund(s) of this customer, and all of them count on this server:"
        ]
        lines += lookup.refunds.map { refund in
            [
                refund.refundedAtMilliseconds.map(Output.time) ?? "at a time that Apple does not say", refund.productId,
                "transaction \(refund.transactionId) (\(refund.environment))", refund.type,
                refund.percentage.map { Output.percent(Double($0) / 100_000) },
                refund.reason == 1 ? "a problem with the app" : nil,
            ].compactMap(\.self).joined(separator: "  ")
        }
        if lookup.refused > 0 { lines.append("\(lookup.refused) text(s) are left out: Apple has not signed them for this app.") }
        if !lookup.isComplete { lines.append("Apple has more refunds of this customer than these.") }
        return lines
    }
}
