// SPDX-License-Identifier: Apache-2.0

/// What an experiment does, for people: the configuration says `draft`, `live` or `stopped`.
package enum ExperimentState: Hashable, Sendable {
    case draft, live, stopped
    /// It is stopped, and everyone sees this variation, which is not the control.
    case promoted(String)

    /// Live ones first.
    package var order: Int {
        switch self {
        case .live: 0
        case .draft: 1
        case .promoted: 2
        case .stopped: 3
        }
    }
}

/// What a reader has to know beside the numbers.
package enum ExperimentNote: Hashable, Sendable {
    case noPrimary
    /// A metric of purchases, by its name.
    case unrecorded(String)
    /// Events are deleted so many days after the server received them, which is too early for the oldest units.
    case expiring(eventDays: Int64)
}
