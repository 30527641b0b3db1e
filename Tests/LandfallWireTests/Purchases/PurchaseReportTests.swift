// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The report of purchases, on the wire", .timeLimit(.minutes(1)))
struct PurchaseReportTests {
    @Test("A report is pinned by its golden file")
    func report() throws {
        let report = PurchaseReport(
            key: IdempotencyKey("k-6"), reason: .sync, historyComplete: true,
            transactions: [
                .init(jws: "header.payload.signature"),
                .init(jws: "header.other.signature", exposure: "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10"),
            ])

        try expectGolden(report, "purchase-report")
    }

    @Test("An answer is pinned by its golden file")
    func answer() throws {
        let profile = WireProfile(id: "i_anna", installId: "anna", epoch: 1_764_000_000_000, version: 4, attributionVersion: 1)
        let results: [PurchaseAnswer.Result] = [
            .init(transactionId: "2000000000000001", status: .accepted),
            .init(transactionId: "2000000000000002", status: .duplicate),
            .init(status: .rejected, code: ErrorCode("purchase_forged")),
            .init(transactionId: "2000000000000003", status: .rejected, code: ErrorCode("purchase_owned")),
        ]

        try expectGolden(PurchaseAnswer(results: results, profile: profile), "purchase-answer")
    }

    @Test("A report without the word is not complete")
    func incomplete() throws {
        let report = try WireCoding.decode(PurchaseReport.self, from: Data(#"{"key":"k","reason":"sync","transactions":[]}"#.utf8))

        #expect(!report.historyComplete)
    }
}
