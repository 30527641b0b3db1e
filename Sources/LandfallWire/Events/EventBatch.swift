// SPDX-License-Identifier: Apache-2.0
/// Body of `POST /v1/events`: 1…500 events.
public struct EventBatch: Hashable, Sendable, Codable {
    public var events: [Event]
    public init(events: [Event]) { self.events = events }
}

/// The result for each event, in the order sent. All three statuses are final: the event leaves the outbox.
public struct EventBatchAnswer: Hashable, Sendable, Codable {
    public struct Result: Hashable, Sendable, Codable {
        public enum Status: String, Sendable, Codable { case accepted, duplicate, rejected }

        public var id: String
        public var status: Status
        /// Why it was rejected.
        public var code: ErrorCode?

        public init(id: String, status: Status, code: ErrorCode? = nil) {
            self.id = id
            self.status = status
            self.code = code
        }
    }

    public var results: [Result]
    public init(results: [Result]) { self.results = results }
}
