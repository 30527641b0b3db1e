// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Cuts the bytes of the stream into lines. Blank and unreadable lines are skipped.
///
/// Every byte is read once and moved at most once more, whatever the sizes of the chunks.
struct LineSplitter: Sendable {
    /// The longest line that the protocol allows is 256 KiB.
    static let longestLine = 512 * 1024

    /// The beginning of an incomplete line; contains no line break.
    private var rest = Data()

    /// The lines that these bytes complete.
    /// - Throws: ``TransportError`` if a line does not end: that is not a first-open stream.
    mutating func lines(completedBy chunk: Data) throws -> [FirstOpenLine] {
        var lines: [FirstOpenLine] = []
        var unread = chunk[...]
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            rest.append(unread[..<end])
            if !rest.isEmpty, let line = try? WireCoding.decode(FirstOpenLine.self, from: rest) { lines.append(line) }
            rest = Data()
            unread = unread[(end + 1)...]
        }
        rest.append(unread)
        if rest.count > Self.longestLine {
            throw TransportError(.connectionFailed, detail: "A line of the first-open stream does not end.")
        }
        return lines
    }
}

/// Combines lines of the first-open stream into changes: a profile and its attribution come as two lines and are one change.
struct FirstOpenFold: Hashable, Sendable {
    enum Meaning: Hashable, Sendable {
        case profileState(WireProfile, LandfallWire.Attribution?)
        case attribution(LandfallWire.Attribution)
        case paywall(PaywallAnswer)
        case problem(PlacementProblem)
        case linkRules(WireLinkRules)
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
                    meanings.append(.profileState(profile, attribution))
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
            case .linkRules(let rules): meanings.append(.linkRules(rules))
            case .end(let reason):
                flush(into: &meanings)
                meanings.append(.end(reason))
            case .deferred, .unknown: continue
            }
        }
        return meanings
    }

    private mutating func flush(into meanings: inout [Meaning]) {
        if let profile { meanings.append(.profileState(profile, nil)) }
        profile = nil
    }
}
