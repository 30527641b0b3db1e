// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// What a client knows, waits for and would answer at this moment, for developers: ``LandfallClient/explain()``.
///
/// `print` it to read it; encode it for machines. The words may change with any release. It has ids of the install and the
/// profile; it has no secret, no token, no address, no customer id and no attribute.
public struct Explanation: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What holds now, and what would be a line of the log at debug when it changes.
    public struct Fact: Hashable, Sendable, Codable {
        public let subject: String
        public let value: String
    }

    /// Something that has not come yet.
    public struct Wait: Hashable, Sendable, Codable {
        public let what: String
        /// From now; nil where nobody knows.
        public let untilMilliseconds: Int64?
    }

    /// Work that is tried again until it is done, and how it failed last.
    public struct ErrandReport: Hashable, Sendable, Codable {
        public let name: String
        public let state: String
        /// From now; nil where nothing is to be tried again.
        public let nextTryMilliseconds: Int64?
        /// Nil where nothing has failed in this launch.
        public let lastError: String?
        public let lastErrorAgeMilliseconds: Int64?
    }

    /// How much waits to be sent, or to be taken by the app.
    public struct Queue: Hashable, Sendable, Codable {
        public let events: Int
        public let attributeChanges: Int
        public let attributionClaims: Int
        public let clicks: Int
        /// Links that the app has not taken.
        public let links: Int
        /// Pasted or typed codes.
        public let codes: Int
    }

    /// What a call for a placement would get now.
    public struct PlacementReport: Hashable, Sendable, Codable {
        public let placement: PlacementID
        /// As it is compared: lower case, with `-`.
        public let locale: String
        /// The rung that answers a call which cannot wait; nil where there is nothing.
        public let rung: String?
        /// Why this one, and whether a call with 5 s would wait for better.
        public let why: String
        /// The whole ladder, the best first.
        public let rungs: [Rung]
    }

    /// One rung of the ladder of paywalls.
    public struct Rung: Hashable, Sendable, Codable {
        public let name: String
        /// False where there is nothing on this rung.
        public let isThere: Bool
        /// Nil where nothing is there, or where nothing is to be shown.
        public let paywall: PaywallID?
        public let variation: VariationID?
        public let audience: AudienceID?
    }

    /// Nil until the SDK's files have been read.
    public let install: InstallID?
    public let profile: ProfileID?
    public let facts: [Fact]
    public let waits: [Wait]
    public let errands: [ErrandReport]
    public let queue: Queue
    public let placements: [PlacementReport]
    /// Mistakes in how the app is set up, each with the way out. Empty where none was found.
    public let setup: [String]
}

extension LandfallClient {
    /// What the client knows, waits for and would answer now. Changes nothing and asks nobody; costs about as much as a call.
    /// ```swift
    /// print(landfall.explain())
    /// ```
    public func explain() -> Explanation { launch.explain() }
}
