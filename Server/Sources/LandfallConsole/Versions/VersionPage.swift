// SPDX-License-Identifier: Apache-2.0

/// One version: who, why, what it changes, and its text.
struct VersionPage {
    let frame: Frame
    let line: VersionLine
    /// The number of the newest version.
    let newest: Int64
    /// The version that it is compared with; nil compares with nothing.
    let against: Int64?
    let changes: ChangeList
    let lineChanges: LineChanges
    /// Nil if it is too long for a page.
    let text: String?
    let isFileOwned: Bool
    /// The requested version to compare with does not exist.
    var isAgainstUnknown = false
    var message = ""
    var problems: [FieldProblem] = []
    /// The member gave the password too long ago for what the version changes.
    var needsPassword = false
    /// Why the version cannot be published again.
    var remarks: [TextRemark] = []

    private var words: VersionWords { frame.words.versions }

    var html: HTML {
        frame.page(words.version(line.number), .versions, note: line.isLive ? words.live : nil) {
            problems.summary(frame.words)
            if needsPassword { frame.passwordLink }
            if !remarks.isEmpty { div(.class("alert"), Attribute("role", "alert")) { remarkList(remarks, words) } }
            section(.class("block")) {
                dl(.class("facts")) {
                    div { dt { frame.words.time }; dd { frame.words.instant(line.publishedAtMs) + " " + frame.words.clock.zone } }
                    div { dt { words.author }; dd { line.author.isEmpty ? "–" : line.author } }
                    div { dt { words.message }; dd { line.message.isEmpty ? "–" : line.message } }
                }
                p(.class("choices")) {
                    a(.href(Place("/console/versions"))) { words.all }
                    if line.number != newest {
                        a(
                            .href(Place("/console/versions", ["\(line.number)"], query: [("against", "\(newest)")])),
                            .optional("aria-current", against == newest ? "true" : nil)
                        ) { words.compare(with: newest) }
                    }
                    a(.href(Place("/console/versions", ["\(line.number).yaml"]))) { words.download }
                }
            }
            section(.class("block")) {
                h2 { against.map { words.changes(since: $0) } ?? words.firstChanges }
                if isAgainstUnknown { p(.class("note")) { words.unknownAgainst } }
                changes.html(words)
            }
            section(.class("block")) {
                h2 { words.byLine }
                lineChanges.html(words, name: words.byLine)
            }
            if line.number != newest, frame.can(.publishing) { rollback }
            section(.class("block")) {
                h2 { words.yaml }
                if let text { configurationText(text, title: words.yamlField(line.number), isSent: false) } else {
                    p(.class("note")) { words.tooLongToShow }
                }
            }
        }
    }

    private var rollback: HTML {
        section(.class("block narrow")) {
            h2 { words.rollBack }
            if isFileOwned { p(.class("note")) { words.ownedByFile } } else {
                p(.class("note")) { words.rollBackNote(line.number, newest: newest) }
                form(Attribute("method", "post"), .action(Place("/console/versions", ["\(line.number)", "rollback"]))) {
                    frame.proof
                    input(.type("hidden"), .name("base"), .value("\(newest)"))
                    Field(
                        name: "message", title: words.message, value: message, hint: words.messageHint, isRequired: false, problems: problems
                    ).html
                    button(.class("primary")) { words.rollBack(to: line.number) }
                }
            }
        }
    }
}
