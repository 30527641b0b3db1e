// SPDX-License-Identifier: Apache-2.0
import LandfallResults
package import LandfallRules
package import LandfallServer
import LandfallWire

extension Snapshot {
    /// The experiments of the configuration as their results need them, in the order of the file.
    package var resultsExperiments: [ResultsExperiment] { 
        configuration.experiments.map { ResultsExperiment($0, metrics: metrics, currency: configuration.purchases.money.currency) }
    }
}

extension ResultsExperiment {
    /// - Parameter metrics: of the configuration. Those that the experiment does not name are its secondary ones.
    package init(_ experiment: Experiment, metrics: [Metric], currency: String?) {
        func metric(_ name: String) -> Metric? { metrics.first { $0.name.utf8.elementsEqual(name.utf8) } }
        name = experiment.id.rawValue
        self.currency = currency
        state = experiment.state.rawValue
        variations = experiment.variations.map { .init(name: $0.name.rawValue, weight: $0.weight, showsNothing: $0.plain == nil) }
        primary = experiment.primary.flatMap(metric)
        guardrails = experiment.guardrails.compactMap { guardrail in
            let harm = Double(guardrail.harm.buckets) / Double(Draw.bucketCount)
            guard let metric = metric(guardrail.metric), let bound = try? Guardrail(harm: harm) else { return nil }
            return Guarded(metric: metric, bound: bound)
        }
        let named = Set([primary?.name].compactMap { $0 } + guardrails.map(\.metric.name))
        secondaries = metrics.filter { !named.contains($0.name) }
        if let planned = experiment.plannedUnits { plannedUnits = Int(planned) }
    }
}
