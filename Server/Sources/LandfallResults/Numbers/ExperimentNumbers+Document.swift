// SPDX-License-Identifier: Apache-2.0

extension ExperimentNumbers {
    /// The numbers as the document that ``NumbersDocument`` reads. Sums of money are written as they were capped.
    package var document: String {
        var members: [(String, OrderedJSON?)] = [
            ("experiment", facts.experiment.map { .text($0) }), ("state", facts.state.map { .text($0) }),
            ("day", facts.day.map { .number(Double($0)) }), ("alpha", .number(alpha)),
            ("plannedUnits", .number(Double(plannedUnits))), ("basis", .text(basis.rawValue)), ("metric", .text(primary.name)),
            ("strata", .list(primary.strata.enumerated().map { json($1, ratio.indices.contains($0) ? ratio[$0] : nil) })),
            ("shown", facts.shown.map { counts in object(counts.map { .number(Double($0)) }) }),
            ("decided", facts.decided.map { counts in object(counts.map { .number(Double($0)) }) }),
            ("crossovers", facts.crossovers.map { .number($0) }), ("matured", facts.matured.map { .number($0) }),
            ("echoed", facts.echoed.map { .number(Double($0)) }),
            ("fallbackFirst", facts.fallbackFirst.map { .number(Double($0)) }),
        ]
        members += [
            ("guardrails", .list(guardrails.map { guarded in
                Self.object([
                    ("metric", .text(guarded.metric.name)), ("harm", .number(guarded.bound.harm)),
                    ("worse", .text(guarded.bound.worse.rawValue)), ("strata", strata(guarded.metric.strata)),
                ])
            })),
            ("secondaries", .list(secondaries.map { Self.object([("metric", .text($0.name)), ("strata", strata($0.strata))]) })),
            ("segments", .list(segments.map { Self.object([("segment", .text($0.name)), ("strata", strata($0.strata))]) })),
            ("ratioParts", .list(ratioParts.map { part in
                Self.object([("by", .text(part.by)), ("value", .text(part.value)), ("epochs", .list(part.epochs.map(parted)))])
            })),
            ("history", .list(history.map { Self.object([("day", .number(Double($0.day))), ("strata", strata($0.strata))]) })),
            ("currency", currency.map { .text($0) }), ("cap", cap.map { .number($0) }),
            ("uncappedMeans", uncappedMeans.map { means in object(means.map { $0.map { .number($0) } }) }),
            ("unconverted", .list(unconverted.map { money in
                Self.object([
                    ("metric", .text(money.metric)), ("units", money.units.map { .number(Double($0)) }),
                    ("currencies", .list(money.currencies.map { .text($0) })),
                ])
            })),
            ("notes", .list(notes.map { .text($0) })),
        ]
        return Self.object(members).text
    }

    private static func object(_ members: [(String, OrderedJSON?)]) -> OrderedJSON {
        .object(members.compactMap { name, value in value.map { .init(key: name, value: $0) } })
    }

    /// A value for each variation.
    private func object(_ values: [OrderedJSON?]) -> OrderedJSON { Self.object(Array(zip(variations, values))) }

    private func strata(_ strata: [Stratum]) -> OrderedJSON { .list(strata.map { json($0, nil) }) }

    private func json(_ stratum: Stratum, _ ratio: RatioLooks?) -> OrderedJSON {
        Self.object([
            ("weights", object(stratum.weights.map { .number($0) })),
            ("variations", object(stratum.samples.map { sample in sample.map(json) })),
            ("looks", ratio.map { .list($0.looks.map(Self.list)) }),
            ("days", ratio.flatMap { $0.days.isEmpty && !$0.looks.isEmpty ? nil : Self.list($0.days) }),
        ])
    }

    private func json(_ sample: Sample) -> OrderedJSON {
        let units = OrderedJSON.number(Double(sample.units)), conversions = sample.conversions.map { OrderedJSON.number(Double($0)) }
        return switch sample.kind {
        case .rate: Self.object([("units", units), ("conversions", conversions)])
        case .mean:
            Self.object([
                ("units", units), ("sum", .number(sample.sum)), ("sumOfSquares", .number(sample.sumOfSquares)),
                ("conversions", conversions),
            ])
        case .unmeasured: Self.object([("units", units), ("measured", .bool(false))])
        }
    }

    private func parted(_ epoch: RatioLooks) -> OrderedJSON {
        let units = epoch.looks.reduce(into: variations.map { _ in 0 }) { sums, look in
            for place in look.indices { sums[place] += look[place] }
        }
        return Self.object([("weights", .list(epoch.weights.map { .number($0) })), ("units", Self.list(units))])
    }

    private static func list(_ counts: [Int]) -> OrderedJSON { .list(counts.map { .number(Double($0)) }) }
}
