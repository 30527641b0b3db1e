// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Plans", .timeLimit(.minutes(1)))
struct PlanTests {
    @Test(
        "Units per variation, for one look and for any",
        arguments: [
            (0.05, 0.05, "122120.72", "233848.85"), (0.05, 0.1, "31230.692", "59803.624"),
            (0.03, 0.2, "13910.831", "26637.838"),
        ] as [(Double, Double, Printed, Printed)])
    func units(rate: Double, effect: Double, last: Printed, any: Printed) throws {
        expect(try Plan(rate: rate, effect: effect, looks: .last).exactUnits, is: last)
        expect(try Plan(rate: rate, effect: effect).exactUnits, is: any)
    }

    @Test("Evan Miller's 20 % to 25 %: his 1,030 takes the control's variance for both while there is no effect")
    func miller() throws {
        let reach =
            NormalDistribution.quantile(0.975) * 0.32.squareRoot() + NormalDistribution.quantile(0.8)
            * (0.16 + 0.1875).squareRoot()
        expect(reach * reach / (0.05 * 0.05), is: "1030.219")

        let own = try Plan(rate: 0.2, effect: 0.25, looks: .last).exactUnits
        expect(own, is: "1090.994")
        expect(try Plan(variances: (0.16, 0.1875), difference: 0.05, looks: .last).exactUnits, is: "1090.994")
    }

    @Test("Valid at any look costs 1.914899 times the units at 80 %")
    func factor() throws {
        expect(
            try Plan(rate: 0.2, effect: 0.1).exactUnits / Plan(rate: 0.2, effect: 0.1, looks: .last).exactUnits, is: "1.914899")
    }

    @Test("27,822 units at 1,200 a day and 80 %: 29 days, five whole weeks")
    func days() throws {
        let plan = try Plan(rate: 0.03, effect: 0.2, looks: .last)

        #expect(plan.units == 27_822)
        expect(plan.exactDays(unitsPerDay: 1200 * 0.8), is: "28.98")
        #expect(plan.days(unitsPerDay: 1200 * 0.8) == 35)
    }

    @Test("The interval excludes zero with the wanted power at the planned end")
    func power() throws {
        let plan = try Plan(rate: 0.05, effect: 0.1)
        let error = ((0.05 * 0.95 + 0.055 * 0.945) / plan.exactUnits).squareRoot()
        let multiplier = ConfidenceSequence(plannedUnits: plan.plannedUnits).multiplier(units: plan.plannedUnits)

        #expect(abs(NormalDistribution.below(0.005 / error - multiplier) - 0.8) < 1e-4)
    }

    @Test("A smaller effect, more power, a smaller alpha and more variations each take more units")
    func monotone() throws {
        let plain = try Plan(rate: 0.05, effect: 0.1).exactUnits

        #expect(try Plan(rate: 0.05, effect: 0.09).exactUnits > plain)
        #expect(try Plan(rate: 0.05, effect: 0.1, power: 0.9).exactUnits > plain)
        #expect(try Plan(rate: 0.05, effect: 0.1, alpha: 0.01).exactUnits > plain)
        #expect(try Plan(rate: 0.05, effect: 0.1, variations: 3).exactUnits > plain)
    }

    @Test(
        "Values that cannot be planned are refused, with the name of the value",
        arguments: [
            (0, 0.1, 0.05, 0.8, 2, "rate"), (1, 0.1, 0.05, 0.8, 2, "rate"), (.nan, 0.1, 0.05, 0.8, 2, "rate"),
            (0.05, 0, 0.05, 0.8, 2, "effect"),
            (0.6, 0.7, 0.05, 0.8, 2, "effect"), (0.05, -1, 0.05, 0.8, 2, "effect"), (0.05, .nan, 0.05, 0.8, 2, "effect"),
            (0.05, 0.1, 0, 0.8, 2, "alpha"), (0.05, 0.1, 0.05, 1, 2, "power"), (0.05, 0.1, 0.05, 0.8, 1, "variations"),
            (0.05, 1e-9, 0.05, 0.8, 2, "effect"),
        ] as [(Double, Double, Double, Double, Int, String)])
    func refused(rate: Double, effect: Double, alpha: Double, power: Double, variations: Int, field: String) {
        let error = #expect(throws: SampleError.self) {
            try Plan(rate: rate, effect: effect, alpha: alpha, power: power, variations: variations)
        }
        #expect(error?.field == field)
    }
}
