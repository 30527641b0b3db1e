// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Strata that are merged", .timeLimit(.minutes(1)))
struct PairedStrataTests {
    private func stratum(_ control: (Int, Int), _ variation: (Int, Int), share: Double = 0.5) throws -> PairedStrata.Stratum {
        .init(
            control: try Sample(units: control.1, conversions: control.0),
            variation: try Sample(units: variation.1, conversions: variation.0), share: share)
    }

    /// The rule as it is said: the smallest is merged with the smallest of its share, as long as it is too small.
    private func plainly(_ strata: [PairedStrata.Stratum]) -> [PairedStrata.Stratum] {
        var rest = strata.filter { $0.share > 0 && $0.share < 1 && $0.units > 0 }.sorted(by: PairedStrata.Stratum.isSmaller)
        while rest.count > 1, rest[0].evidence < PairedStrata.fewestConversions {
            let small = rest.removeFirst()
            if let partner = rest.firstIndex(where: { $0.share == small.share }) { rest[partner] = rest[partner].merged(with: small) }
            rest.sort(by: PairedStrata.Stratum.isSmaller)
        }
        return rest
    }

    @Test("are those of the plain rule, whatever their shares and their order", arguments: 1...200 as ClosedRange<UInt64>)
    func plain(seed: UInt64) throws {
        var random = SeededNumbers(state: seed)
        let strata = try (0..<Int.random(in: 1...12, using: &random)).map { _ in
            let units = (Int.random(in: 20...40, using: &random), Int.random(in: 20...40, using: &random))
            return try stratum(
                (Int.random(in: 0...14, using: &random), units.0), (Int.random(in: 0...14, using: &random), units.1),
                share: [0.25, 0.5, 0.75, 1].randomElement(using: &random)!)
        }

        #expect(PairedStrata(strata).strata == plainly(strata))
        #expect(PairedStrata(strata.shuffled(using: &random)) == PairedStrata(strata))
    }

    @Test("are merged in a time that grows hardly faster than their number: 10,000 small ones at once")
    func many() throws {
        let strata = try (0..<10_000).map { try stratum((1, 20 + $0 % 7), (1, 20 + $0 % 5)) }

        let merged = PairedStrata(strata)

        #expect(merged.units == strata.reduce(0) { $0 + $1.units })
        #expect(merged.strata.allSatisfy { $0.evidence >= 10 } && merged.strata.count > 100)
    }
}
