// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallResults

/// `landfall plan`.
struct PlanCommand: AsyncParsableCommand {
    /// The default window of a metric.
    static let usualWindowDays = 14

    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Says how many units, and days, an experiment needs to find an effect.",
        discussion: """
            Computes from the numbers that are given, and needs no server. With --placement, or --experiment, the rate and the units of a \
            day are those of the store. The units are for an interval that is valid however often you look; \
            write 'planned' as plannedUnits of the experiment. Rates, effects and shares are 5% or 0.05.
            """
    )

    @Option(help: "The control's rate, such as 5% (that of the placement or the experiment).")
    var rate: ShareArgument?

    @Option(help: "A placement whose traffic counts: four weeks of those who saw it.")
    var placement: String?

    @Option(help: "The metric to count at --placement.")
    var metric: String?

    @Option(help: "A running experiment whose traffic and control count.")
    var experiment: String?

    @Option(parsing: .unconditional, help: "The relative effect to find, such as 10% or -10%.")
    var effect: ShareArgument

    @Option(help: "The probability of finding an effect that does not exist.")
    var alpha = ShareArgument(0.05)

    @Option(help: "The probability of finding the effect by the planned end.")
    var power = ShareArgument(0.8)

    @Option(help: "Variations, the control included.")
    var variations = 2

    @Option(help: "Units that come to the placement in a day; then days are computed.")
    var unitsPerDay: Double?

    @Option(help: "The share of them that takes part.")
    var share = ShareArgument(1)

    @Option(help: "Days of the metric's window after the last unit (that of --metric, else 14).")
    var windowDays: Int?

    @Flag(help: "For a single look at the end instead of a look at any time: needs fewer units, but no earlier look is valid.")
    var singleLook = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard placement == nil || experiment == nil else {
            throw ValidationError("--placement and --experiment are two sources of the traffic. Choose one of them.")
        }
        guard rate != nil || placement != nil || experiment != nil else {
            throw ValidationError("--rate is missing. Give it, or --placement with --metric, or --experiment.")
        }
        guard (placement == nil) == (metric == nil) else {
            throw ValidationError("--placement and --metric belong together: name the placement, and the metric to count there.")
        }
        guard (0...3650).contains(windowDays ?? 0) else { throw ValidationError("--window-days: Use 0 to 3650 days.") }
    }

    func run() async throws {
        let planned = try planned(try await traffic())
        if store.json { return try store.printJSON(planned) }
        for line in planned.lines { Output.line(line) }
    }

    private func traffic() async throws -> Traffic? {
        if let placement, let metric {
            return try await store.withReach { try await Traffic.of(placement: placement, metric: metric, windowDays: windowDays, $0) }
        }
        guard let experiment else { return nil }
        return try await store.withReach { try await Traffic.of(experiment: experiment, $0) }
    }

    private func planned(_ traffic: Traffic?) throws -> PlannedExperiment {
        let rate = rate?.value ?? traffic?.rate ?? 0, unitsPerDay = unitsPerDay ?? traffic?.unitsPerDay
        do throws(SampleError) {
            let looks: Plan.Looks = singleLook ? .last : .any
            let plan = try Plan(
                rate: rate, effect: effect.value, alpha: alpha.value, power: power.value, looks: looks,
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
            return PlannedExperiment(
                plan, rate: rate, effect: effect.value, days: days,
                windowDays: windowDays ?? traffic?.windowDays ?? Self.usualWindowDays, unitsPerDay: unitsPerDay, source: traffic?.source)
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
