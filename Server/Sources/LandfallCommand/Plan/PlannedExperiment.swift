// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// What `landfall plan` answers.
struct PlannedExperiment: Encodable {
    let rate: Double
    let effect: Double
    let alpha: Double
    let power: Double
    /// `any` or `last`.
    let looks: String
    let variations: Int
    let unitsPerVariation: Int
    /// The units of two variations: `plannedUnits` of the experiment.
    let plannedUnits: Int
    /// The units of all variations.
    let units: Int
    /// Whole weeks.
    let days: Int?
    /// ``days``, and the metric's window after the last unit.
    let daysWithWindow: Int?
    /// As given, or as the store has it.
    let unitsPerDay: Double?
    /// Where the traffic was counted, in words; nil if it was given.
    let source: String?

    init(_ plan: Plan, rate: Double, effect: Double, days: Int?, windowDays: Int, unitsPerDay: Double? = nil, source: String? = nil) {
        (self.rate, self.effect, alpha, power) = (rate, effect, plan.alpha, plan.power)
        (looks, variations) = (plan.looks.rawValue, plan.variations)
        (unitsPerVariation, plannedUnits, units) = (plan.unitsPerVariation, plan.plannedUnits, plan.units)
        (self.days, self.unitsPerDay, self.source) = (days, unitsPerDay, source)
        daysWithWindow = days.map { $0 + windowDays }
    }

    var lines: [String] {
        let other = rate * (1 + effect)
        let how = looks == "any" ? "valid at any look" : "for a single look at the end"
        var lines = [
            "From \(ResultsFigures.percent(rate)) to \(ResultsFigures.percent(other)) (\(ResultsFigures.lift(effect))), \(how)",
            "  alpha \(ResultsFigures.percent(alpha)), found with \(ResultsFigures.percent(power)) by the planned end", "",
            "  \(ResultsFigures.right(ResultsFigures.count(unitsPerVariation), 15))  units for each of \(variations) variations",
            "  \(ResultsFigures.right(ResultsFigures.count(units), 15))  units in all",
            "  \(ResultsFigures.right(ResultsFigures.count(plannedUnits), 15))  planned: the plannedUnits of the experiment",
        ]
        if let source, let unitsPerDay {
            lines.append("  \(ResultsFigures.right(ResultsFigures.count(Int(unitsPerDay.rounded())), 15))  units a day: \(source)")
        }
        if let days, let daysWithWindow {
            lines.append("  \(ResultsFigures.right(ResultsFigures.count(days), 15))  days, in whole weeks")
            lines.append(
                "  \(ResultsFigures.right(ResultsFigures.count(daysWithWindow), 15))  days with the window of the last unit's metric"
            )
        }
        return lines
    }

    private enum CodingKeys: String, CodingKey {
        case rate, effect, alpha, power, looks, variations, unitsPerVariation, plannedUnits, units, days, daysWithWindow, unitsPerDay, source
    }

    func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(rate, forKey: .rate)
        try keys.encode(effect, forKey: .effect)
        try keys.encode(alpha, forKey: .alpha)
        try keys.encode(power, forKey: .power)
        try keys.encode(looks, forKey: .looks)
        try keys.encode(variations, forKey: .variations)
        try keys.encode(unitsPerVariation, forKey: .unitsPerVariation)
        try keys.encode(plannedUnits, forKey: .plannedUnits)
        try keys.encode(units, forKey: .units)
        try keys.encode(days, forKey: .days)
        try keys.encode(daysWithWindow, forKey: .daysWithWindow)
        try keys.encode(unitsPerDay, forKey: .unitsPerDay)
        try keys.encode(source, forKey: .source)
    }
}
