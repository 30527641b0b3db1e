// SPDX-License-Identifier: Apache-2.0
import Metrics
import Synchronization

/// The metrics of one closed set of labels, each looked up in the registry once. Building the labels for every count took
/// longer than the counted work.
final class KnownMetrics<Labels: Hashable & Sendable, Metric: Sendable>: Sendable {
    private let metrics = Mutex<[Labels: Metric]>([:])
    private let make: @Sendable (Labels) -> Metric

    init(_ make: @escaping @Sendable (Labels) -> Metric) { self.make = make }

    subscript(_ labels: Labels) -> Metric {
        metrics.withLock { metrics in
            if let metric = metrics[labels] { return metric }
            let metric = make(labels)
            metrics[labels] = metric
            return metric
        }
    }
}
