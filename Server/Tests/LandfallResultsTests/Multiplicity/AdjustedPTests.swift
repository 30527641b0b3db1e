// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Adjusted p-values", .timeLimit(.minutes(1)))
struct AdjustedPTests {
    @Test("Holm's, as R has it")
    func holm() {
        for (value, printed) in zip(
            AdjustedP.holm([0.01, 0.02, 0.03, 0.04, 0.05]), [".05", ".08", ".09", ".09", ".09"] as [Printed])
        {
            expect(value, is: printed)
        }
        for (value, printed) in zip(AdjustedP.holm([0.012, 0.2, 0.021]), [".036", ".2", ".042"] as [Printed]) {
            expect(value, is: printed)
        }
    }

    @Test("Benjamini and Hochberg's")
    func hochberg() {
        for (value, printed) in zip(AdjustedP.benjaminiHochberg([0.012, 0.2, 0.021]), [".0315", ".2", ".0315"] as [Printed]) {
            expect(value, is: printed)
        }
    }

    @Test("The fifteen values of SciPy's example")
    func fifteen() {
        let values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590,
            1.000,
        ]
        let adjusted = AdjustedP.benjaminiHochberg(values)

        expect(adjusted[4], is: ".0603")
        expect(adjusted[5], is: ".0638571")
    }

    @Test("Nothing and a single value stay as they are")
    func borders() {
        #expect(AdjustedP.holm([]).isEmpty && AdjustedP.benjaminiHochberg([]).isEmpty)
        #expect(AdjustedP.holm([0.3]) == [0.3] && AdjustedP.benjaminiHochberg([0.3]) == [0.3])
        #expect(AdjustedP.holm([1, 1, 0]) == [1, 1, 0])
    }

    @Test("In any order each value gets the same; never below its own p, never above 1, and never out of order")
    func properties() {
        var numbers = SeededNumbers(state: 8)
        for _ in 0..<200 {
            let values = (0..<Int.random(in: 1...12, using: &numbers)).map { _ in
                Double(Int.random(in: 0...20, using: &numbers)) / 20
            }
            let order = Array(values.indices).shuffled(using: &numbers)
            for adjust in [AdjustedP.holm, AdjustedP.benjaminiHochberg] {
                let adjusted = adjust(values), shuffled = adjust(order.map { values[$0] })
                #expect(order.map { adjusted[$0] } == shuffled)
                #expect(zip(values, adjusted).allSatisfy { $0 <= $1 + 1e-15 && $1 <= 1 })
                for first in values.indices {
                    for second in values.indices where values[first] < values[second] {
                        #expect(adjusted[first] <= adjusted[second])
                    }
                }
            }
        }
    }
}
