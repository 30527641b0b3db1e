// SPDX-License-Identifier: Apache-2.0

/// Every version of the configuration, the newest first, and those that wait for their time.
struct VersionsPage {
    let frame: Frame
    let lines: [VersionLine]
    let scheduled: [ScheduledLine]
    /// Where the next page begins; nil on the last one.
    let before: Int64?
    /// The server publishes its own file only.
    let isFileOwned: Bool

    var html: HTML {
        let words = frame.words.versions
        return frame.page(words.title, .versions, note: frame.words.timesNote) {
            if isFileOwned { p(.class("note")) { words.ownedByFile } }
            p(.class("toolbar")) {
                if frame.can(.publishing) { a(.class("button primary"), .href(Place("/console/versions/draft"))) { words.edit } }
                a(.class("button"), .href(Place("/console/versions/fallback.json"))) { words.fallback }
            }
            p(.class("hint")) { words.fallbackHint }
            if !scheduled.isEmpty { waiting(words) }
            section(.class("block")) {
                if lines.isEmpty {
                    p(.class("empty")) { words.noVersions }
                    frame.helpForEmpty(.versions)
                } else {
                    scrollingTable(words.title, titles: [words.version, frame.words.time, words.author, words.message]) {
                        for line in lines { row(line, words) }
                    }
                }
                if let before {
                    p { a(.class("button"), .href(Place("/console/versions", query: [("before", "\(before)")]))) { frame.words.older } }
                }
            }
        }
    }

    private func row(_ line: VersionLine, _ words: VersionWords) -> HTML {
        tr {
            th(Attribute("scope", "row")) {
                a(.href(Place("/console/versions", ["\(line.number)"]))) { words.version(line.number) }
                if line.isLive { span(.class("line")) { span(.class("badge")) { words.live } } }
            }
            td(.class("nowrap")) { frame.words.instant(line.publishedAtMs) }
            td { line.author.isEmpty ? "–" : line.author }
            td { line.message.isEmpty ? "–" : line.message }
        }
    }

    private func waiting(_ words: VersionWords) -> HTML {
        section(.class("block")) {
            h2 { words.scheduled }
            scrollingTable(words.scheduled, titles: [words.due, words.state, words.author, words.message, frame.words.actions]) {
                for line in scheduled {
                    tr {
                        th(.class("nowrap"), Attribute("scope", "row")) { frame.words.instant(line.atMs) }
                        td {
                            words.name(of: line.state)
                            if let reason = line.reason { span(.class("quiet line"), .lang(.english)) { reason } }
                        }
                        td { line.author.isEmpty ? "–" : line.author }
                        td { line.message.isEmpty ? "–" : line.message }
                        td {
                            if line.state == .waiting, frame.can(.publishing) {
                                form(Attribute("method", "post"), .action(Place("/console/versions/scheduled", [line.id, "cancel"]))) {
                                    frame.proof
                                    button(.class("danger"), .label(words.cancel(frame.words.instant(line.atMs)))) { words.cancelIt }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
