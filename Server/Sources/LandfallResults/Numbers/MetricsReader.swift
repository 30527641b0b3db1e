// SPDX-License-Identifier: Apache-2.0

/// Reads everything besides the primary metric: guardrails, secondary metrics, segments and the days before.
struct MetricsReader {
    let names: [String]
    /// The weights of the primary metric's strata; strata without weights use these.
    let weights: [[Double]]
    let highestPrice: Double

    func read(_ root: NumbersObject, into numbers: inout ExperimentNumbers, remarks: inout [String]) throws(NumbersError) {
        for node in try root["guardrails"]?.list() ?? [] {
            let object = try NumbersObject(node, known: ["metric", "harm", "worse", "strata"], remarks: &remarks)
            let harm = try object.required("harm").number()
            var worse = Guardrail.Worse.lower
            if let node = object["worse"] {
                guard let known = Guardrail.Worse(rawValue: try node.text()) else { throw node.wrong("Use lower or higher.") }
                worse = known
            }
            let bound = try node.naming { () throws(SampleError) in try Guardrail(harm: harm, worse: worse) }
            numbers.guardrails.append(.init(metric: try metric(object, &remarks), bound: bound))
        }
        for node in try root["secondaries"]?.list() ?? [] {
            let object = try NumbersObject(node, known: ["metric", "strata"], remarks: &remarks)
            numbers.secondaries.append(try metric(object, &remarks))
        }
        for node in try root["segments"]?.list() ?? [] {
            let object = try NumbersObject(node, known: ["segment", "strata"], remarks: &remarks)
            numbers.segments.append(
                .init(name: try object.required("segment").text(), strata: try strata(object, numbers.cap, &remarks)))
        }
        for node in try root["history"]?.list() ?? [] {
            let object = try NumbersObject(node, known: ["day", "strata"], remarks: &remarks)
            numbers.history.append(
                .init(day: try object.required("day").count(), strata: try strata(object, numbers.cap, &remarks)))
        }
        numbers.history.sort { $0.day < $1.day }
    }

    private func metric(_ object: NumbersObject, _ remarks: inout [String]) throws(NumbersError) -> ExperimentNumbers.Metric {
        .init(name: try object.required("metric").text(), strata: try strata(object, nil, &remarks))
    }

    /// - Parameter cap: the primary's, for parts of it; another metric has its own.
    private func strata(
        _ object: NumbersObject, _ cap: Double?, _ remarks: inout [String]
    ) throws(NumbersError) -> [ExperimentNumbers.Stratum] {
        let reader = try StrataReader(try object.required("strata"), remarks: &remarks)
        let cap = cap ?? Spending.cap(reader.spendings, highestPrice: highestPrice)
        return try reader.counted(names, cap: cap) { $0 < weights.count ? weights[$0] : nil }
    }
}
