// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("A report of purchases", .timeLimit(.minutes(1)))
struct PurchaseWireTests {
    @Test("is pinned by its golden file, and without 'historyComplete' it is not complete")
    func report() throws {
        let report = PurchaseReport(
            key: IdempotencyKey("p1"), reason: .restore, historyComplete: true,
            transactions: [.init(jws: "e30.e30.AA", exposure: "0199b0a1-7c3d-7000-8000-000000000003"), .init(jws: "e30.e30.AB")])

        try expectGolden(report, "purchase-report")
        let short = try WireCoding.decode(
            PurchaseReport.self, from: Data(#"{"key":"p","reason":"later","transactions":[]}"#.utf8))
        #expect(short == PurchaseReport(key: IdempotencyKey("p"), reason: PurchaseReason("later"), transactions: []))
    }

    @Test("is answered as its golden file says")
    func answer() throws {
        let profile = WireProfile(id: ProfileID("i_1"), installId: InstallID("1"), epoch: 1, version: 2, attributionVersion: 0)
        let answer = PurchaseAnswer(
            results: [
                .init(transactionId: "2000000123456789", status: .accepted),
                .init(transactionId: "2000000123456790", status: .rejected, code: ErrorCode(rawValue: "purchase_owned")),
                .init(status: .rejected, code: ErrorCode(rawValue: "purchase_forged")),
            ], profile: profile)

        try expectGolden(answer, "purchase-answer")
    }
}
