// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The shares of a placement's audiences", .timeLimit(.minutes(1)))
struct PlacementSharesTests {
    private static func html(_ shares: PlacementShares, _ audience: String) -> String { shares.html(of: audience, Words(.english)).markup }

    @Test("are parts of all exposures; a small one is still seen, and an audience without a row has none")
    func whole() {
        let shares = PlacementShares(exposures: ["a": 996, "b": 1], total: 1_000, isWhole: true, completeToMs: 0)

        #expect(Self.html(shares, "a").contains("width=\"996\"") && Self.html(shares, "b").contains("width=\"5\""))
        #expect(Self.html(shares, "c").contains("width=\"0\"") && shares.exposures(of: "c") == 0)
        #expect(shares.rest(beside: ["a", "b", "c"]) == 3 && shares.rest(beside: ["a", "b"]) == 3)
    }

    @Test("are not told where the number is not, nor where an audience may be among the others")
    func untold() {
        let some = PlacementShares(exposures: ["a": 900, "b": nil], total: 1_000, isWhole: false, completeToMs: 0)
        let none = PlacementShares(exposures: [:], total: nil, isWhole: false, completeToMs: 0)
        let nobody = PlacementShares(exposures: [:], total: 0, isWhole: true, completeToMs: 0)

        for html in [Self.html(some, "b"), Self.html(some, "c"), Self.html(none, "a")] { #expect(html.contains("too few") && !html.contains("<svg")) }
        #expect(some.rest(beside: ["a", "b", "c"]) == 100 && none.rest(beside: ["a"]) == nil && nobody.rest(beside: []) == nil)
        #expect(Self.html(nobody, "a").contains("0 %"))
    }

    @Test("are those of the report that the note leads to; a name that no address carries has none")
    func report() {
        #expect(PlacementShares.report(about: "home")?.place.text == "/console/reports/paywalls?by=audience&placement=home")
        #expect(PlacementShares.report(about: String(repeating: "x", count: 501)) == nil)
    }
}
