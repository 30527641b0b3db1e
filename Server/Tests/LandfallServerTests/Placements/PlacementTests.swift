// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Placements", .timeLimit(.minutes(1)))
struct PlacementTests {
    private func snapshot(_ audiences: String, _ order: [String]) throws -> Snapshot {
        let entries = (order.map { "{ audience: \($0), paywall: special }" } + ["{ audience: everyone, paywall: default }"])
            .joined(separator: ", ")
        let yaml = Sample.base.replacing("[{ audience: everyone, paywall: default }]", with: "[\(entries)]")
        return Snapshot(try Configuration(yaml: yaml + "audiences:\n\(audiences)\n"), revision: 1)
    }

    private let audiences = """
          apple: { attribution.source: { is: apple_search_ads } }
          usa: { country: { is: US } }
          canada: { country: { is: CA } }
        """

    @Test(
        "The first audience that matches wins",
        arguments: [
            (["usa", "apple"], "usa"), (["apple", "usa"], "apple"), (["canada", "apple"], "apple"), (["canada"], "everyone"),
            ([], "everyone"),
        ] as [([String], String)])
    func first(order: [String], winner: String) throws {
        let decision = try #require(snapshot(audiences, order).decide("home", facts: .sample(.appleSample)))

        #expect(decision.audience == AudienceID(winner))
        #expect(decision.paywallID == PaywallID(winner == "everyone" ? "default" : "special"))
        #expect(decision.paywall?.name == decision.paywallID)
        #expect(decision.isFinal)
    }

    /// What is shown while Apple's answer is on its way, and whether it is certain.
    @Test(
        "Only an audience that can still match keeps a decision open",
        arguments: [
            (["apple"], "everyone", false), (["usa", "apple"], "usa", true), (["apple", "usa"], "usa", false),
            (["canada", "usa"], "usa", true), (["canada"], "everyone", true), ([], "everyone", true),
        ] as [([String], String, Bool)])
    func pending(order: [String], shown: String, isFinal: Bool) throws {
        let facts = AudienceFacts.sample(.pending(nextAnswerNotBefore: 0))

        let decision = try #require(snapshot(audiences, order).decide("home", facts: facts, pending: .attribution))

        #expect(decision.audience == AudienceID(shown))
        #expect(decision.isFinal == isFinal)
    }

    @Test(
        "A condition that the other conditions decide does not wait",
        arguments: [
            ("{ attribution.source: { is: apple_search_ads }, country: { is: CA } }", "everyone", true),
            ("{ attribution.source: { is: apple_search_ads }, country: { is: US } }", "everyone", false),
            ("{ any: [{ attribution.source: { is: apple_search_ads } }, { country: { is: US } }] }", "those", true),
            ("{ not: { attribution.source: { is: apple_search_ads } } }", "everyone", false),
        ])
    func decided(condition: String, shown: String, isFinal: Bool) throws {
        let decision = try #require(
            snapshot("  those: \(condition)", ["those"]).decide(
                "home", facts: .sample(.notAttributed), pending: .attribution)
        )

        #expect(decision.audience == AudienceID(shown))
        #expect(decision.isFinal == isFinal)
    }

    @Test(
        "Placements are checked when the configuration is read",
        arguments: [
            ("[]", "9:15: The placement 'home' does not end with 'everyone'. Add: - { audience: everyone, paywall: … }"),
            (
                "[{ audience: everyone, paywall: default }, { audience: usa, paywall: special }]",
                "9:35: 'everyone' matches every install, so nothing below it is ever shown. Move it to the end."
            ),
            (
                "[{ audience: usa, paywall: default }, { audience: usa, paywall: special }, { audience: everyone, paywall: default }]",
                "9:72: The audience 'usa' is here a second time and would never match. Keep one of them."
            ),
            (
                "[{ audience: us, paywall: special }, { audience: everyone, paywall: default }]",
                "9:35: There is no audience 'us'. Did you mean 'usa'?"
            ),
            ("[{ audience: everyone, paywall: defaults }]", "9:54: There is no paywall 'defaults'. Did you mean 'default'?"),
            (
                "{ everyone: default }",
                "9:21: The placement 'home' is not a list. Write '- ' before each element, or [one, two]."
            ),
        ])
    func problems(placement: String, problem: String) {
        let yaml =
            Sample.base.replacing("[{ audience: everyone, paywall: default }]", with: placement)
            + "audiences: { usa: { country: { is: US } } }\n"

        let problems = Sample.problems(yaml)

        #expect(problems.map { $0.drop { $0 != " " } } == [problem.drop { $0 != " " }], "\(problems)")
    }
}
