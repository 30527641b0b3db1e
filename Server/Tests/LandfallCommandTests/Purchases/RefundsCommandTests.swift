// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("Refunds in the terminal", .timeLimit(.minutes(2)))
struct RefundsCommandTests {
    private func told(_ document: String) throws -> [String] {
        RefundsCommand.lines(of: try JSONDecoder().decode(RefundLookup.self, from: Data(document.utf8)))
    }

    @Test("have a line each, with what Apple says of it, and below what is left out")
    func lines() throws {
        let lines = try told(
            #"""
            {"refunds":[
              {"environment":"Production","transactionId":"2","originalTransactionId":"1","productId":"yearly","refundedAtMilliseconds":1795348800000,
                "reason":1,"type":"REFUND_PRORATED","percentage":50000},
              {"environment":"Sandbox","transactionId":"3","originalTransactionId":"3","productId":"coins","reason":0}],
            "refused":1,"isComplete":false}
            """#)

        #expect(
            lines == [
                "Apple names 2 refund(s) of this customer, and all of them count on this server:",
                "2026-11-22T12:00:00Z  yearly  transaction 2 (Production)  REFUND_PRORATED  50.0 %  a problem with the app",
                "at a time that Apple does not say  coins  transaction 3 (Sandbox)",
                "1 text(s) are left out: Apple has not signed them for this app.",
                "Apple has more refunds of this customer than these.",
            ])
    }

    @Test("that nobody got are one sentence")
    func none() throws {
        #expect(try told(#"{"refunds":[],"refused":0,"isComplete":true}"#) == ["Apple names no refund of this customer."])
    }

    @Test("are asked for with an id of Apple's, by a server that runs and has a key")
    func refused() async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            let server = try await ServingProcess.start(in: folder)
            let wrong = try await RunningCommand(["refunds", "1 or 2", "--data", folder.path]).completion()
            let keyless = try await RunningCommand(["refunds", "2", "--data", folder.path]).completion()
            try await server.ends()
            let alone = try await RunningCommand(["refunds", "2", "--data", folder.path]).completion()

            #expect(wrong.status == 1 && wrong.errors.contains("1 to 20 digits"), "\(wrong.errors)")
            #expect(keyless.status == 1 && keyless.errors.contains("Write 'purchases.api'"), "\(keyless.errors)")
            #expect(alone.status == 1 && alone.errors.contains("Start it with 'landfall serve'"), "\(alone.errors)")
        }
    }
}
