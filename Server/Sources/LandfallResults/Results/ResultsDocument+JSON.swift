// SPDX-License-Identifier: Apache-2.0

extension Interval: Encodable {
    /// A list of two numbers.
    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(lower)
        try list.encode(upper)
    }
}

extension ExperimentNumbers.Basis: Encodable {}

/// Writes every key, also those with null, so that a reader need not check whether a key exists.
extension ResultsDocument {
    private enum CodingKeys: String, CodingKey {
        case experiment, state, day, basis, plannedUnits, unitsLeft, health, variations, comparisons, currency, unconverted, notes
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(experiment, forKey: .experiment)
        try keys.encode(state, forKey: .state)
        try keys.encode(day, forKey: .day)
        try keys.encode(basis, forKey: .basis)
        try keys.encode(plannedUnits, forKey: .plannedUnits)
        try keys.encode(unitsLeft, forKey: .unitsLeft)
        try keys.encode(health, forKey: .health)
        try keys.encode(variations, forKey: .variations)
        try keys.encode(comparisons, forKey: .comparisons)
        try keys.encode(currency, forKey: .currency)
        try keys.encode(unconverted, forKey: .unconverted)
        try keys.encode(notes, forKey: .notes)
    }
}

extension ResultsDocument.Health {
    private enum CodingKeys: String, CodingKey {
        case ratio, ratioParts, shownOverDecided, crossovers, matured, echoed, fallbackFirst
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(ratio, forKey: .ratio)
        try keys.encode(ratioParts, forKey: .ratioParts)
        try keys.encode(shownOverDecided, forKey: .shownOverDecided)
        try keys.encode(crossovers, forKey: .crossovers)
        try keys.encode(matured, forKey: .matured)
        try keys.encode(echoed, forKey: .echoed)
        try keys.encode(fallbackFirst, forKey: .fallbackFirst)
    }
}

extension ResultsDocument.Health.Ratio {
    private enum CodingKeys: String, CodingKey {
        case ok, p, chiSquare, chiSquareP
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(ok, forKey: .ok)
        try keys.encode(p, forKey: .p)
        try keys.encode(chiSquare, forKey: .chiSquare)
        try keys.encode(chiSquareP, forKey: .chiSquareP)
    }
}

extension ResultsDocument.Variation {
    private enum CodingKeys: String, CodingKey {
        case variation, units, conversions, rate, rateInterval, mean, meanUncapped, cap
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(variation, forKey: .variation)
        try keys.encode(units, forKey: .units)
        try keys.encode(conversions, forKey: .conversions)
        try keys.encode(rate, forKey: .rate)
        try keys.encode(rateInterval, forKey: .rateInterval)
        try keys.encode(mean, forKey: .mean)
        try keys.encode(meanUncapped, forKey: .meanUncapped)
        try keys.encode(cap, forKey: .cap)
    }
}

extension ResultsDocument.Comparison {
    private enum CodingKeys: String, CodingKey {
        case variation, control, metric, role, segment, difference, standardError, interval, p, adjustedP
        case lift, liftInterval, probabilityBetter, expectedLoss, verdict, decidedOnDay
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(variation, forKey: .variation)
        try keys.encode(control, forKey: .control)
        try keys.encode(metric, forKey: .metric)
        try keys.encode(role, forKey: .role)
        try keys.encode(segment, forKey: .segment)
        try keys.encode(difference, forKey: .difference)
        try keys.encode(standardError, forKey: .standardError)
        try keys.encode(interval, forKey: .interval)
        try keys.encode(p, forKey: .p)
        try keys.encode(adjustedP, forKey: .adjustedP)
        try keys.encode(lift, forKey: .lift)
        try keys.encode(liftInterval, forKey: .liftInterval)
        try keys.encode(probabilityBetter, forKey: .probabilityBetter)
        try keys.encode(expectedLoss, forKey: .expectedLoss)
        try keys.encode(verdict, forKey: .verdict)
        try keys.encode(decidedOnDay, forKey: .decidedOnDay)
    }
}
