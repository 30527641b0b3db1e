// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("The step after a try", .timeLimit(.minutes(1)))
struct ExchangeStepTests {
    private static let now = TestStore.noon

    private static func exchange(attempts: Int64 = 0, notFound: Int64 = 0, ageMs: Int64 = 0, token: String = "t")
        -> LeasedExchange
    {
        LeasedExchange(
            Job(
                name: JobName(app: TestStore.app, kind: .appleAds, key: TokenHash(of: token).rawValue),
                install: Credential.mayasPhone.installID,
                payload: LeasedExchange.payload(token, notFoundCount: notFound), attempts: attempts + 1,
                createdAtMs: now - ageMs, leaseUntilMs: now + 30_000)
        )!
    }

    @Test(
        "Final answers end the exchange, whatever came before",
        arguments: [
            (.attributed(AppleAdsAnswer(attribution: true)), .finish(.attributed)),
            (.organic, .finish(.organic)),
            (.invalidToken, .finish(.unavailable(.invalidToken))),
        ] as [(ExchangeOutcome, ExchangeStep)])
    func answers(outcome: ExchangeOutcome, step: ExchangeStep) {
        #expect(ExchangeStep(after: outcome, of: Self.exchange(), nowMs: Self.now) == step)
        #expect(
            ExchangeStep(after: outcome, of: Self.exchange(attempts: 90, notFound: 2, ageMs: 99_999_999), nowMs: Self.now)
                == step)
    }

    @Test(
        "The third 404 is the last, even with silence in between",
        arguments: [
            (0, 0, .again(dueAtMs: now + 5_000)), (1, 1, .again(dueAtMs: now + 5_000)), (7, 1, .again(dueAtMs: now + 5_000)),
            (2, 2, .finish(.unavailable(.notFound))), (9, 2, .finish(.unavailable(.notFound))),
        ] as [(Int64, Int64, ExchangeStep)])
    func notFound(attempts: Int64, before: Int64, step: ExchangeStep) {
        #expect(
            ExchangeStep(after: .notFound, of: Self.exchange(attempts: attempts, notFound: before), nowMs: Self.now) == step)
    }

    @Test(
        "Silence doubles the pause from 1 s to 15 min, within a fifth",
        arguments: [
            (0, 1_000), (1, 2_000), (2, 4_000), (9, 512_000), (10, 900_000), (63, 900_000), (5_000, 900_000),
        ] as [(Int64, Int64)])
    func backoff(attempts: Int64, pause: Int64) {
        for number in 0..<50 {
            let step = ExchangeStep(
                after: .silence(.status), of: Self.exchange(attempts: attempts, token: "\(number)"), nowMs: Self.now)
            guard case .again(let dueAtMs) = step else { return #expect(Bool(false), "\(step)") }
            #expect((pause * 8 / 10...pause * 12 / 10).contains(dueAtMs - Self.now))
        }
    }

    @Test("Retries of tokens from one outage are spread out")
    func spread() {
        let steps = (0..<100).map { ExchangeStep(after: .silence(.status), of: Self.exchange(token: "\($0)"), nowMs: Self.now) }

        #expect(Set(steps).count > 50)
    }

    @Test(
        "Nothing is asked once the token is 24 h old",
        arguments: [
            (86_400_000 - 2_000, false), (86_400_000 - 500, true), (86_400_000 * 3, true),
        ] as [(Int64, Bool)])
    func expiry(age: Int64, isOver: Bool) {
        let step = ExchangeStep(after: .silence(.timeLimit), of: Self.exchange(ageMs: age), nowMs: Self.now)

        #expect((step == .finish(.unavailable(.expired))) == isOver)
    }

    @Test(
        "The outcome of a reply",
        arguments: [
            (200, #"{"attribution":false}"#, "organic"), (200, #"{"attribution":true,"campaignId":1,"new":{}}"#, "attributed"),
            (200, #"{"attribution":"yes"}"#, "silence_malformed"), (200, "", "silence_malformed"), (400, "", "invalid_token"),
            (404, "", "not_found"), (500, "", "silence_status"), (301, "", "silence_status"), (204, "", "silence_status"),
        ])
    func replies(status: Int, body: String, label: String) {
        #expect(ExchangeOutcome(AppleAdsReply(status: status, body: Array(body.utf8))).label == label)
    }

    @Test(
        "A reply with U+0000 or texts longer than Apple's is not an answer: nothing is stored and Apple is asked again",
        arguments: ["conversionType", "claimType", "countryOrRegion", "clickDate", "impressionDate", "supplyPlacement"])
    func implausible(field: String) {
        func label(_ text: String) -> String {
            let body = #"{"attribution":true,"campaignId":1,"\#(field)":"\#(text)"}"#
            return ExchangeOutcome(AppleAdsReply(status: 200, body: Array(body.utf8))).label
        }

        #expect(label(#"a\u0000b"#) == "silence_malformed")
        #expect(label(String(repeating: "x", count: Limits.appleAdsText + 1)) == "silence_malformed")
        #expect(label("e" + String(repeating: "\u{FE0F}", count: 16_000)) == "silence_malformed")
        #expect(label(String(repeating: "x", count: Limits.appleAdsText)) == "attributed")
    }
}
