// SPDX-License-Identifier: Apache-2.0

/// What an experiment does, for people: the configuration says `draft`, `live` or `stopped`.
enum ExperimentState: Hashable, Sendable {
    case draft, live, stopped
    /// It is stopped, and everyone sees this variation, which is not the control.
    case promoted(String)

    /// Live ones first.
    var order: Int {
        switch self {
        case .live: 0
        case .draft: 1
        case .promoted: 2
        case .stopped: 3
        }
    }
}
