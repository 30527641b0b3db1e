// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension Explanation {
    /// How an experiment decided: the step, and the arithmetic of the draw that the step uses.
    package struct Drawing: Hashable, Sendable, Codable {
        /// The first of these that decides, in this order.
        package enum Step: String, Sendable, Codable { case override, stored, holdout, layer, drawn }

        package let step: Step
        /// `experiment`, `layer` or `holdout`.
        package let namespace: String
        package let salt: String
        package let unit: String
        /// The hash's first eight bytes, in hexadecimal digits.
        let u: String
        package let bucket: Int64
        /// The buckets of the outcome: from this one, up to the next field. Nil if other buckets decided: an override, or weights of
        /// an earlier epoch.
        package let from: Int64?
        package let to: Int64?
    }
}

extension Explanation.Drawing {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(step, forKey: .step)
        try container.encode(namespace, forKey: .namespace)
        try container.encode(salt, forKey: .salt)
        try container.encode(unit, forKey: .unit)
        try container.encode(u, forKey: .u)
        try container.encode(bucket, forKey: .bucket)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
    }

    private init(_ step: Step, _ namespace: String, _ salt: String, _ unit: InstallID, _ buckets: Range<Int>?) {
        let draw = Draw(namespace: namespace, salt: salt, unit: unit.rawValue)
        self.init(
            step: step, namespace: namespace, salt: salt, unit: unit.rawValue, u: draw.hexadecimal, bucket: Int64(draw.bucket),
            from: buckets.map { Int64($0.lowerBound) }, to: buckets.map { Int64($0.upperBound) })
    }

    /// Nil if the experiment assigns nobody.
    init?(_ experiment: Experiment, _ outcome: ExperimentOutcome, of install: Install, epoch: Int64) {
        let stored = install.assignment(in: experiment.id)
        let unit = stored?.unit ?? install.unit
        let salt = Experiment.salt(experiment.id, epoch: outcome.assigned?.epoch ?? stored?.epoch ?? epoch)
        switch outcome.step {
        case nil: return nil
        case .override: self.init(.override, "experiment", salt, unit, nil)
        case .stored:
            let assigned = outcome.assigned.flatMap { $0.epoch == epoch ? experiment.buckets(of: $0.variation) : nil }
            let isDrawn = assigned.map { $0.contains(Int(outcome.assigned?.bucket ?? -1)) } ?? false
            self.init(.stored, "experiment", salt, unit, isDrawn ? assigned : nil)
        case .holdout:
            guard let holdout = experiment.holdout else { return nil }
            self.init(.holdout, "holdout", holdout.name, unit, 0..<holdout.share.buckets)
        case .layer:
            guard let slice = experiment.slice else { return nil }
            self.init(.layer, "layer", slice.layer.salt, unit, slice.buckets)
        case .drawn:
            guard let assigned = outcome.assigned else { return nil }
            self.init(.drawn, "experiment", salt, unit, experiment.buckets(of: assigned.variation))
        }
    }
}
