// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Combines lines of the first-open stream into changes: a profile and its attribution come as two lines and are one change.
struct FirstOpenFold: Hashable, Sendable {
    enum Meaning: Hashable, Sendable {
        case standing(WireProfile, LandfallWire.Attribution?)
        case attribution(LandfallWire.Attribution)
        case paywall(PaywallAnswer)
        case problem(PlacementProblem)
        case end(EndReason)
    }

    private var profile: WireProfile?

    /// The changes of these lines, which arrived together.
    mutating func meanings(of lines: [FirstOpenLine]) -> [Meaning] {
        var meanings: [Meaning] = []
        for line in lines {
            switch line {
            case .profile(let news), .unstored(let news):
                flush(into: &meanings)
                profile = news
            case .attribution(let attribution):
                if let profile {
                    meanings.append(.standing(profile, attribution))
                } else {
                    meanings.append(.attribution(attribution))
                }
                profile = nil
            case .paywall(let answer):
                flush(into: &meanings)
                meanings.append(.paywall(answer))
            case .problem(let problem):
                flush(into: &meanings)
                meanings.append(.problem(problem))
            case .end(let reason):
                flush(into: &meanings)
                meanings.append(.end(reason))
            case .deferred, .unknown: continue
            }
        }
        return meanings
    }

    private mutating func flush(into meanings: inout [Meaning]) {
        if let profile { meanings.append(.standing(profile, nil)) }
        profile = nil
    }
}
