// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// The client's state for developers: what it knows, what it waits for and what it would answer now. See
/// ``LandfallClient/explain()``.
///
/// `print` it to read it; encode it for machines. The words may change with any release. It contains the ids of the install and
/// the profile, but no secret, no token, no address, no customer id and no attribute.
public struct Explanation: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A fact that is true now; its change is a log line at debug.
    public struct Fact: Hashable, Sendable, Codable {
        public let subject: String
        public let value: String
    }

    /// Something that the client waits for.
    public struct Wait: Hashable, Sendable, Codable {
        public let what: String
        /// From now, not negative; nil if it is not known. Encoded as whole milliseconds.
        public let remaining: Duration?
    }

    /// Work that is retried until it is done, and its last error.
    public struct ErrandReport: Hashable, Sendable, Codable {
        public let name: String
        public let state: String
        /// From now, not negative; nil if there is nothing to retry. Encoded as whole milliseconds.
        public let nextTry: Duration?
        /// Nil if nothing has failed in this launch.
        public let lastError: String?
        /// Not negative. Encoded as whole milliseconds.
        public let lastErrorAge: Duration?
    }

    /// How many items wait to be sent, or to be handled by the app.
    public struct Queue: Hashable, Sendable, Codable {
        public let events: Int
        public let attributeChanges: Int
        public let attributionClaims: Int
        public let clicks: Int
        /// Links that the app has not handled.
        public let links: Int
        /// Pasted or typed codes.
        public let codes: Int
    }

    /// The variation of one experiment that this install has.
    public struct ExperimentReport: Hashable, Sendable, Codable {
        public let assignment: Assignment
        /// A call has returned it in this or an earlier launch, so the server counts it as decided.
        public let isDecided: Bool
    }

    /// What a call for a placement would get now.
    public struct PlacementReport: Hashable, Sendable, Codable {
        public let placement: PlacementID
        /// In the form for comparisons: lower case, with `-`.
        public let locale: String
        /// The fallback level that answers a call that cannot wait; nil if there is none.
        public let rung: String?
        /// Why it answers, and whether a call with 5 s would wait for a better one.
        public let why: String
        /// Every fallback level, the best first.
        public let rungs: [Rung]
    }

    /// One fallback level: a paywall that could be the answer.
    public struct Rung: Hashable, Sendable, Codable {
        public let name: String
        /// False if it has no answer.
        public let isThere: Bool
        /// Nil if there is no answer, or if nothing is to be shown.
        public let paywall: PaywallID?
        /// The variation of an experiment, also of one that shows nothing.
        public let variation: VariationID?
        public let audience: AudienceID?
        /// The attribution with which it was decided, in words. Nil if there is no answer, or if the answer is for everyone.
        public let attribution: String?
    }

    /// Nil until the SDK's files have been read.
    public let install: InstallID?
    public let profile: ProfileID?
    public let facts: [Fact]
    public let waits: [Wait]
    public let errands: [ErrandReport]
    public let queue: Queue
    /// The phone's copy of its assignments, the newest last. A first open sends it back to the server.
    public let experiments: [ExperimentReport]
    public let placements: [PlacementReport]
    /// Mistakes in the app's setup, each with what to do. Empty if none was found.
    public let setup: [String]
}
