// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallResults

/// `landfall plan`.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Says how many units, and days, an experiment needs to find an effect.",
        discussion: """
            Computes from the numbers that are given, and needs no server. The units are for an interval that may be looked at every day; \
            write 'planned' as plannedUnits of the experiment. Rates, effects and shares are 5% or 0.05.
            """
    )

    @Option(help: "The control's rate, such as 5%.")
    var rate: ShareArgument

    @Option(parsing: .unconditional, help: "The relative effect to find, such as 10% or -10%.")
    var effect: ShareArgument

    @Option(help: "The probability to find an effect that is not there.")
    var alpha = ShareArgument(0.05)

    @Option(help: "The probability to find the effect by the planned end.")
    var power = ShareArgument(0.8)

    @Option(help: "Variations, the control included.")
    var variations = 2

    @Option(help: "Units that come to the placement in a day; then days are computed.")
    var unitsPerDay: Double?

    @Option(help: "The share of them that takes part.")
    var share = ShareArgument(1)

    @Option(help: "Days of the metric's window after the last unit.")
    var windowDays = 14

    @Flag(help: "For a single look at the end in place of any look: fewer units, and no look before.")
    var singleLook = false

    @OptionGroup var output: JSONOption

    func run() throws {
        let planned = try planned()
        if output.json { return try output.write(planned) }
        for line in planned.lines { Output.line(line) }
    }

    private func planned() throws -> PlannedExperiment {
        do throws(SampleError) {
            let looks: Plan.Looks = singleLook ? .last : .any
            let plan = try Plan(
                rate: rate.value, effect: effect.value, alpha: alpha.value, power: power.value, looks: looks,
                variations: variations)
            var days: Int?
            if let unitsPerDay {
                let daily = unitsPerDay * share.value
                guard daily.isFinite, daily > 0, unitsPerDay > 0, share.value <= 1 else {
                    throw SampleError(
                        field: "units-per-day", problem: "A positive number of units and a share of at most 100% are needed.")
                }
                guard plan.exactDays(unitsPerDay: daily) < 36_500 else {
                    throw SampleError(
                        field: "units-per-day", problem: "This takes more than a hundred years. Look for a larger effect.")
                }
                days = plan.days(unitsPerDay: daily)
            }
            guard (0...3650).contains(windowDays) else {
                throw SampleError(field: "window-days", problem: "Use 0 to 3650 days.")
            }
            return PlannedExperiment(plan, rate: rate.value, effect: effect.value, days: days, windowDays: windowDays)
        } catch {
            throw ValidationError("--\(error.field): \(error.problem)")
        }
    }
}

/// 5% or 0.05; 10% or -0.1.
struct ShareArgument: ExpressibleByArgument {
    let value: Double

    init(_ value: Double) { self.value = value }

    init?(argument: String) {
        let isPercent = argument.last == "%"
        guard let number = Double(isPercent ? String(argument.dropLast()) : argument), number.isFinite else { return nil }
        value = isPercent ? number / 100 : number
    }

    var defaultValueDescription: String { "\(value)" }
}
