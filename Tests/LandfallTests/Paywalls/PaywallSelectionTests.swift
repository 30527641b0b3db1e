// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import Landfall

@Suite("The selection", .timeLimit(.minutes(1)))
struct PaywallSelectionTests {
    private static func rung(_ name: String) -> PaywallSelection.Candidate {
        .init(
            paywall: WirePaywall(name: PaywallID(name), variationId: VariationID(name)), audience: .everyone,
            origin: .matchingAudience, revision: 1
        )
    }

    private static func selection(_ change: (inout PaywallSelection) -> Void) -> PaywallSelection {
        var selection = PaywallSelection()
        change(&selection)
        return selection
    }

    private static let full = selection {
        $0.matching = rung("matching")
        $0.cachedMatching = rung("cachedMatching")
        $0.everyone = rung("everyone")
        $0.cachedEveryone = rung("cachedEveryone")
        $0.bundled = rung("bundled")
    }

    @Test("At the deadline the best available fallback level answers: each level if all above it are missing")
    func order() {
        var selection = Self.full
        selection.matchingCanCome = true
        selection.everyoneCanCome = true
        let rungs: [(String, (inout PaywallSelection) -> Void)] = [
            ("matching", { $0.matching = nil }), ("cachedMatching", { $0.cachedMatching = nil }),
            ("everyone", { $0.everyone = nil }), ("cachedEveryone", { $0.cachedEveryone = nil }),
            ("bundled", { $0.bundled = nil }),
        ]
        for (name, remove) in rungs {
            #expect(selection.verdict(now: .seconds(5), deadline: .seconds(5)) == .answer(Self.rung(name)))
            remove(&selection)
        }
        #expect(selection.verdict(now: .seconds(5), deadline: .seconds(5)) == .fail)
    }

    @Test(
        "Before the deadline",
        arguments: [
            (
                selection {
                    $0.matching = rung("m"); $0.isMatchingCertain = true; $0.matchingCanCome = true
                }, PaywallSelection.Verdict.answer(rung("m"))
            ),
            (
                selection {
                    $0.matching = rung("m"); $0.matchingCanCome = true
                }, .wait(until: .seconds(5))
            ),
            (
                selection {
                    $0.matching = rung("m"); $0.matchingCanCome = true; $0.changeAwaited = AwaitedChange(key: "c", kind: .click, until: .seconds(2))
                }, .wait(until: .seconds(2))
            ),
            (selection { $0.matching = rung("m") }, .answer(rung("m"))),
            (
                selection {
                    $0.cachedMatching = rung("c"); $0.matchingCanCome = true
                }, .wait(until: .seconds(5))
            ),
            (
                selection {
                    $0.cachedMatching = rung("c"); $0.matchingCanCome = true; $0.cachedMatchingFrom = .seconds(2)
                }, .wait(until: .seconds(2))
            ),
            (
                selection {
                    $0.cachedMatching = rung("c"); $0.matchingCanCome = true; $0.cachedMatchingFrom = .seconds(1)
                }, .answer(rung("c"))
            ),
            (
                selection {
                    $0.everyone = rung("e"); $0.matchingCanCome = true
                }, .wait(until: .seconds(5))
            ),
            (selection { $0.everyone = rung("e") }, .answer(rung("e"))),
            (
                selection {
                    $0.bundled = rung("b"); $0.everyoneCanCome = true
                }, .wait(until: .seconds(5))
            ),
            (selection { $0.bundled = rung("b") }, .answer(rung("b"))),
            (selection { _ in }, .fail),
        ])
    func early(selection: PaywallSelection, expected: PaywallSelection.Verdict) {
        #expect(selection.verdict(now: .seconds(1), deadline: .seconds(5)) == expected)
    }

    @Test(
        "Seconds become a duration from zero to a day, whatever the number is",
        arguments: [
            (Double.nan, Duration.zero), (-.infinity, .zero), (-0.5, .zero), (0, .zero), (0.25, .milliseconds(250)),
            (86_400, .seconds(86_400)), (86_401, .seconds(86_400)), (1e30, .seconds(86_400)), (.infinity, .seconds(86_400)),
        ])
    func checkedDurations(seconds: Double, expected: Duration) {
        #expect(Duration(checked: seconds) == expected)
    }
}
