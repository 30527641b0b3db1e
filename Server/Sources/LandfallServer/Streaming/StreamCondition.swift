// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// How the stream of a store does.
package struct StreamCondition: Hashable, Sendable {
    /// Label of a metric.
    package enum Reason: Hashable, Sendable {
        case bucket(S3Failure.Kind)
        case file, log, behind, place, store, other

        package var name: String {
            switch self {
            case .bucket(let kind): kind.rawValue
            case .file: "file"
            case .log: "log"
            case .behind: "behind"
            case .place: "place"
            case .store: "store"
            case .other: "other"
            }
        }

        init(_ error: any Error) {
            self =
                switch error {
                case let failure as S3Failure: .bucket(failure.kind)
                case is StreamFileError: .file
                case is LogBroken: .log
                case is StreamBehind: .behind
                case is StreamOfAnother: .place
                case is DatabaseError, is StoreCopyError: .store
                default: .other
                }
        }
    }

    /// When the server began to stream.
    package let sinceMs: Int64
    /// How often changes are sent.
    package let everyMs: Int64
    /// What was committed before can be restored from the place; nil before the first whole copy.
    package var reachedMs: Int64?
    /// Why the last try failed; nil while it succeeds.
    package var failure: String?
    package var failures: [Reason: Int] = [:]
    /// What was sent: whole copies and segments.
    package var bytes: Int64 = 0

    package init(sinceMs: Int64, everyMs: Int64) { (self.sinceMs, self.everyMs) = (sinceMs, everyMs) }

    /// How much time would be lost now.
    package func behindMs(nowMs: Int64) -> Int64 { max(nowMs - (reachedMs ?? sinceMs), 0) }
}

/// Too much waits in the log.
struct StreamBehind: Error, CustomStringConvertible {
    let bytes: Int64
    var description: String {
        "\(bytes >> 20) MiB of changes could not be sent, so the log does not wait any longer. The stream begins again with a whole copy when the place takes it."
    }
}

/// The place does not end what was asked of it.
struct StreamHangs: Error, CustomStringConvertible {
    let description = "The place of the stream does not answer, and the call to it cannot be ended."
}

/// A place may have the stream of one store.
package struct StreamOfAnother: Error, Hashable, Sendable, CustomStringConvertible {
    let place: String

    package init(place: String) { self.place = place }

    package var description: String {
        "'\(place)' has the stream of another store, which must not be deleted or mixed up. Name another place, or move that stream away."
    }
}
