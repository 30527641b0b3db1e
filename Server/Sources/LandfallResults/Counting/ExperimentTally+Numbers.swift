// SPDX-License-Identifier: Apache-2.0

extension ExperimentTally {
    /// Values that the tally does not have.
    package struct Beside: Hashable, Sendable {
        package var exposures: ExposureCounts
        var basis: ExperimentNumbers.Basis
        /// The present day, in Unix days.
        var today: Int64
        package var crossovers: Double?
        package var matured: Double?
        package var echoed: Int?
        package var fallbackFirst: Int?
        package var unconverted: [UnconvertedMoney] = []

        package init(exposures: ExposureCounts, basis: ExperimentNumbers.Basis, today: Int64) {
            (self.exposures, self.basis, self.today) = (exposures, basis, today)
        }
    }

    /// - Throws: ``SampleError`` if counts contradict each other.
    package func numbers(_ beside: Beside) throws(SampleError) -> ExperimentNumbers { try atLeastZero.soundNumbers(beside) }

    private func soundNumbers(_ beside: Beside) throws(SampleError) -> ExperimentNumbers {
        let cap = try cap(of: 0), primary = try metric(0, cap)
        var numbers = ExperimentNumbers(variations: experiment.variations, primary: primary)
        if experiment.metrics[0].isMoney, let cap {
            let uncapped = try metric(0, nil).strata
            numbers.cap = Double(cap) / 1e3
            numbers.uncappedMeans = experiment.variations.indices.map { numbers.pooled(uncapped, $0)?.mean }
        }
        (numbers.currency, numbers.unconverted) = (experiment.currency, beside.unconverted)
        numbers.basis = beside.basis
        numbers.plannedUnits = experiment.plannedUnits
        numbers.facts.experiment = experiment.name
        numbers.facts.state = experiment.state
        numbers.facts.day = experiment.firstDay.map { Int(beside.today - $0 + 1) }
        numbers.facts.shown = experiment.showsNothing ? nil : beside.exposures.shown
        numbers.facts.decided = experiment.showsNothing ? nil : beside.exposures.decided
        (numbers.facts.crossovers, numbers.facts.matured) = (beside.crossovers, beside.matured)
        (numbers.facts.echoed, numbers.facts.fallbackFirst) = (beside.echoed, beside.fallbackFirst)
        numbers.ratio = looks
        for guarded in experiment.guardrails {
            numbers.guardrails.append(.init(metric: try metric(guarded.metric, try self.cap(of: guarded.metric)), bound: guarded.bound))
        }
        for place in experiment.secondaries where experiment.metrics[place].isMeasured {
            numbers.secondaries.append(try metric(place, try self.cap(of: place)))
        }
        if experiment.metrics[0].isMeasured {
            for (name, counts) in segments.sorted(by: Self.isLarger) {
                numbers.segments.append(.init(name: name, strata: try strata(of: 0, cap) { counts[$0] }))
            }
            numbers.history = try history(cap)
        }
        numbers.ratioParts = ratioParts
        for missing in experiment.metrics.compactMap(\.missing) where !numbers.notes.contains(missing) { numbers.notes.append(missing) }
        return numbers
    }

    /// - Parameter cap: of what a unit paid, in milliunits.
    private func metric(_ place: Int, _ cap: Int64?) throws(SampleError) -> ExperimentNumbers.Metric {
        let strata = try strata(of: place, cap) { arm in
            let units = self.units[arm].map { $0.values.reduce(0, +) } ?? 0
            // If a unit was erased between two reads, its conversion may remain.
            let converted = self.conversions[place][arm].map { $0.values.reduce(0, +) } ?? 0
            return Counts(units: units, conversions: min(units, converted), paid: paid(by: place, arm))
        }
        return .init(name: experiment.metrics[place].name, strata: strata)
    }

    /// An epoch that the server does not know, for example because its store was lost, is weighted by the units that came. So it is
    /// compared within itself, and does not count for the sample ratio.
    private func weights(of epoch: Int64) -> [Double] {
        if let known = experiment.epoch(epoch) { return known.weights }
        return experiment.variations.indices.map { place in
            Double(units[Arm(epoch: epoch, variation: place)].map { $0.values.reduce(0, +) } ?? 0)
        }
    }

    private var epochNumbers: [Int64] { Set(units.keys.map(\.epoch) + experiment.epochs.map(\.number)).sorted() }

    private func strata(
        of metric: Int, _ cap: Int64?, _ counts: (Arm) -> Counts?
    ) throws(SampleError) -> [ExperimentNumbers.Stratum] {
        var strata: [ExperimentNumbers.Stratum] = []
        let metric = experiment.metrics[metric]
        for epoch in epochNumbers {
            let weights = weights(of: epoch)
            guard weights.contains(where: { $0 > 0 }) else { continue }
            var samples: [Sample?] = []
            for place in experiment.variations.indices {
                let counts = counts(Arm(epoch: epoch, variation: place)) ?? Counts()
                guard weights[place] > 0 else { samples.append(nil); continue }
                if !metric.isMeasured {
                    samples.append(try Sample(unmeasured: counts.units))
                } else if metric.isMoney {
                    samples.append(try counts.paid.sample(units: counts.units, cap: cap))
                } else {
                    samples.append(try Sample(units: counts.units, conversions: min(counts.units, counts.conversions)))
                }
            }
            strata.append(.init(weights: weights, samples: samples))
        }
        return strata
    }

    /// One for each stratum of the primary metric, a look for each day.
    private var looks: [ExperimentNumbers.RatioLooks] {
        epochNumbers.compactMap { epoch in
            let weights = weights(of: epoch)
            guard weights.contains(where: { $0 > 0 }) else { return nil }
            guard experiment.epoch(epoch) != nil, let firstDay = experiment.firstDay else { return .init(weights: weights, looks: []) }
            let arms = experiment.variations.indices.map { weights[$0] > 0 ? units[Arm(epoch: epoch, variation: $0)] ?? [:] : [:] }
            let days = Set(arms.flatMap(\.keys)).sorted()
            return .init(
                weights: weights, looks: days.map { day in arms.map { $0[day] ?? 0 } }, days: days.map { Self.number($0, since: firstDay) })
        }
    }

    private var ratioParts: [ExperimentNumbers.RatioPart] {
        parts.sorted { ($0.key.by, $0.key.value) < ($1.key.by, $1.key.value) }.compactMap { part, counts in
            let epochs = experiment.epochs.filter { $0.weights.contains { $0 > 0 } }.map { epoch in
                ExperimentNumbers.RatioLooks(
                    weights: epoch.weights,
                    looks: [experiment.variations.indices.map { place in
                        epoch.weights[place] > 0 ? counts[Arm(epoch: epoch.number, variation: place)] ?? 0 : 0
                    }])
            }
            return epochs.isEmpty ? nil : .init(by: part.by, value: part.value, epochs: epochs)
        }
    }

    /// The state of the primary metric after each day on which something happened. What came back for a purchase is known on every
    /// day, and so is the cap.
    private func history(_ cap: Int64?) throws(SampleError) -> [ExperimentNumbers.Moment] {
        guard let firstDay = experiment.firstDay else { return [] }
        let happened = conversions[0].values.flatMap(\.keys) + payments[0].values.flatMap(\.keys)
        let days = Set(units.values.flatMap(\.keys) + happened).sorted()
        var sums: [Arm: Counts] = [:], moments: [ExperimentNumbers.Moment] = []
        for (place, day) in days.enumerated() {
            for (arm, byDay) in units { sums[arm, default: Counts()].units += byDay[day] ?? 0 }
            for (arm, byDay) in conversions[0] { sums[arm, default: Counts()].conversions += byDay[day] ?? 0 }
            for (arm, byDay) in payments[0] { if let paid = byDay[day] { sums[arm, default: Counts()].paid.add(paid) } }
            guard days.count - place <= Self.mostDays else { continue }
            let strata = try strata(of: 0, cap) { sums[$0] }.filter { stratum in stratum.samples.contains { ($0?.units ?? 0) > 0 } }
            if !strata.isEmpty { moments.append(.init(day: Self.number(day, since: firstDay), strata: strata)) }
        }
        return moments
    }

    /// The day of the start is day 1. A unit that the phone brought back may have been exposed before it.
    private static func number(_ day: Int64, since first: Int64) -> Int { max(0, Int(day - first + 1)) }

    private static func isLarger(
        _ one: (key: String, value: [Arm: Counts]), _ other: (key: String, value: [Arm: Counts])
    ) -> Bool {
        let (left, right) = (one.value.values.reduce(0) { $0 + $1.units }, other.value.values.reduce(0) { $0 + $1.units })
        return left != right ? left > right : one.key < other.key
    }
}
