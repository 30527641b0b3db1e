// SPDX-License-Identifier: Apache-2.0

/// Names an experiment of the configuration; at most 48 bytes.
public struct ExperimentID: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Names one variation of an experiment, such as `A`; at most 32 bytes. Two experiments may use the same name.
public struct VariationName: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// Which variation of an experiment an install has, and where the draw put it.
///
/// An install keeps its variation for ever: the server stores it with the first final answer, and the phone keeps a copy that it
/// sends back, so that a server that lost its store restores it.
public struct Assignment: Hashable, Sendable, Codable {
    public var experiment: ExperimentID
    /// Counts the experiment's changes of weights. The install keeps the epoch in which it was assigned.
    public var epoch: Int64
    public var variation: VariationName
    /// 0…999,999: the bucket of the experiment's draw.
    public var bucket: Int64

    public init(experiment: ExperimentID, epoch: Int64, variation: VariationName, bucket: Int64) {
        self.experiment = experiment
        self.epoch = epoch
        self.variation = variation
        self.bucket = bucket
    }

    /// `EXPERIMENT:VARIATION`, such as `spring-price:B`: how an answer and an event name the variation.
    public var variationId: VariationID { VariationID("\(experiment):\(variation)") }
}
