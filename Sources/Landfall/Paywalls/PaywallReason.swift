// SPDX-License-Identifier: Apache-2.0

/// Why a call got its answer.
enum PaywallReason: String, Hashable, Sendable {
    case certain, nothingBetter, storedFits, serverSilent, everyoneAsked, storedEveryone, nothingElse, awaited, givenUp,
        deadline, pinned, nothing

    var text: String {
        switch self {
        case .certain: "the answer is final"
        case .nothingBetter: "nothing better can come in time"
        case .storedFits: "it was stored for the same profile, attribution and locale"
        case .serverSilent: "the server cannot answer in time"
        case .everyoneAsked: "no answer for the matching audience is to be expected"
        case .storedEveryone: "the caller accepts what is stored"
        case .nothingElse: "nothing else is there, and nothing can come in time"
        case .awaited: "a better answer may come in time"
        case .givenUp: "the app gave up another call for it, and this call takes what is there"
        case .deadline: "the time limit is reached, and nothing better is there"
        case .pinned: "this launch has shown it at this placement"
        case .nothing: "nothing is answered, stored or bundled"
        }
    }
}
