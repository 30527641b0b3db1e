// SPDX-License-Identifier: Apache-2.0

/// Reads rows of installs and events for reports that no computed day answers, or counts them, on a large store for minutes: a few
/// calls do it at once on a node, and some wait.
package struct RowReader: Sendable {
    package static let patience = Duration.seconds(10)

    /// What the calls do: those of the same kind share their permits, and a call without one is refused in the same words.
    package enum Kind: Sendable {
        case reports, countings

        fileprivate var refusal: LimitReached {
            switch self {
            case .reports:
                .busy(
                    .rowReports, "Other reports are reading the store's rows just now. Try again, or group by fields that are counted in advance.",
                    retryAfter: 5)
            case .countings:
                .busy(.countings, "Other calls are counting experiments or installs just now. Try again.", retryAfter: 5)
            }
        }
    }

    private let kind: Kind
    private let permits: AsyncSemaphore
    private let time: ServerTime

    /// - Parameter permits: of all calls of this kind on the node.
    package init(_ kind: Kind = .reports, permits: AsyncSemaphore = RowReader.permits(), time: ServerTime = .live) {
        (self.kind, self.permits, self.time) = (kind, permits, time)
    }

    package static func permits() -> AsyncSemaphore { AsyncSemaphore(permits: 2, mostWaiting: 16) }

    /// - Parameter patience: zero for a call that can do without.
    /// - Throws: ``LimitReached`` if no permit was free in time; what the body throws.
    package func run<Value>(within patience: Duration = Self.patience, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await permits.withPermit(within: patience, by: time, body)
        } catch is AsyncSemaphore.Refusal {
            throw kind.refusal
        }
    }
}
