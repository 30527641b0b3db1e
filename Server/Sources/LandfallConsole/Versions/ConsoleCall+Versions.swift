// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

extension ConsoleCall {
    /// The author of a version: members who may invite others may also change who may call and who is trusted, and who may invite owners
    /// also how members sign in.
    var author: VersionPublisher.Author {
        get throws {
            let member = try member.member
            let rights = member.role.rights
            return .init(
                name: member.email.author, mayChangeEverything: rights.contains(.members), mayMakeOwners: rights.contains(.owners),
                seesPeople: rights.contains(.people))
        }
    }

    /// The version that a form's text was made from; nil if the form does not say so.
    var base: Int64? { Self.number(field("base")) }

    /// Digits only.
    static func number(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }
}

extension VersionLine {
    init(_ summary: ConfigurationStore.Summary, newest: Int64) {
        self.init(
            number: summary.number, publishedAtMs: summary.publishedAtMs, author: summary.author, message: summary.message,
            isLive: summary.number == newest)
    }

    init(_ version: ConfigurationStore.Version, newest: Int64) {
        self.init(
            number: version.number, publishedAtMs: version.publishedAtMs, author: version.author, message: version.message,
            isLive: version.number == newest)
    }
}

extension ScheduledLine {
    init(_ version: ScheduledVersion) {
        let state: State =
            switch version.state {
            case .waiting: .waiting
            case .failed: .failed
            case .published, .cancelled: .cancelled
            }
        self.init(
            id: version.id, atMs: version.atMs, author: version.draft.author, message: version.draft.message, state: state,
            reason: version.reason)
    }
}

extension ChangeList {
    init(_ changes: [ConfigurationChange], leftOut: Int) {
        let shown = changes.prefix(Self.mostShown)
        self.init(sentences: shown.map(\.sentence), meanings: ChangeMeaning.all(Array(shown)), leftOut: leftOut + changes.count - shown.count)
    }

    /// Of two texts that perhaps cannot be served.
    init(from old: String?, to new: String) {
        let before = old.map(VersionPublisher.root(of:)), after = VersionPublisher.root(of: new)
        guard let after, before.map({ $0 != nil }) ?? true else {
            self.init(sentences: [], leftOut: 0, isReadable: false)
            return
        }
        let changes = ConfigurationChanges(from: before ?? nil, to: after)
        self.init(changes.listed, leftOut: changes.unlisted)
    }

    /// On one page.
    private static let mostShown = 200
}

extension [TextRemark] {
    /// - Parameter text: has the lines that the remarks are about.
    init(_ remarks: [ConfigurationRemark], in text: String) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        self = remarks.map { remark in
            let line = lines.indices.contains(remark.line - 1) ? String(Substring(lines[remark.line - 1])) : ""
            return TextRemark(
                line: remark.line, column: remark.column, sentence: remark.message,
                excerpt: String(line.drop { $0 == " " }).cut(toBytes: 160))
        }
    }
}

extension ReviewPage.Refusal {
    /// Nil for refusals that have pages of their own.
    init?(_ refusal: PublishingRefusal) {
        switch refusal {
        case .ownedByFile: self = .ownedByFile
        case .protected(let sections): self = .protected(sections.sorted())
        case .invalid, .stale, .unknownVersion, .crowded, .wrongTime, .manyScheduled: return nil
        }
    }
}

extension ImpactSample {
    init(_ impact: ConfigurationImpact) {
        self.init(
            sampled: Int64(impact.sampled),
            lines: impact.placements.compactMap { placement in
                // Who publishes sees people: every number is told.
                guard let changed = placement.changed, let share = placement.share else { return nil }
                return Line(
                    placement: placement.placement, changed: Int64(changed), share: share, low: placement.interval.first ?? 0,
                    high: placement.interval.last ?? 1)
            })
    }
}
