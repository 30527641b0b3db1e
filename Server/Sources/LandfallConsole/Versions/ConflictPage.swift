// SPDX-License-Identifier: Apache-2.0

/// Somebody has published since the text's base: both sides, and a text with both.
struct ConflictPage {
    struct Side: Hashable, Sendable {
        let changes: ChangeList
        let lineChanges: LineChanges
    }

    let frame: Frame
    /// The text of this member, with its old base.
    let draft: DraftText
    /// What was published since, the newest first.
    let published: [VersionLine]
    let newest: Int64
    let theirs: Side
    let own: Side
    /// Both together; the places that both changed are marked.
    let merged: String
    let conflicts: Int

    var html: HTML {
        let words = frame.words.versions
        return frame.page(words.conflict, .versions, note: words.madeFrom(draft.base)) {
            div(.class("alert"), Attribute("role", "alert"), Attribute("tabindex", "-1")) {
                p { words.conflictText(base: draft.base, newest: newest) }
            }
            section(.class("block")) {
                h2 { words.theirs }
                ul(.class("sentences")) {
                    for line in published {
                        li {
                            a(.href(Place("/console/versions", ["\(line.number)"]))) { words.version(line.number) }
                            ": " + [line.author, line.message].filter { !$0.isEmpty }.joined(separator: " – ")
                        }
                    }
                }
                theirs.changes.html(words)
                theirs.lineChanges.html(words, name: words.theirs)
            }
            section(.class("block")) {
                h2 { words.own }
                own.changes.html(words)
                own.lineChanges.html(words, name: words.own)
            }
            section(.class("block")) {
                h2 { words.together }
                p { conflicts == 0 ? words.merged : words.marked(Int64(conflicts)) }
                form(.class("editor"), Attribute("method", "post"), .action(Place("/console/versions/draft/check"))) {
                    frame.proof
                    input(.type("hidden"), .name("base"), .value("\(newest)"))
                    input(.type("hidden"), .name("message"), .value(draft.message))
                    configurationText(merged, title: words.together)
                    button(.class("primary")) { words.check }
                }
                details {
                    summary { words.ownText }
                    configurationText(draft.text, title: words.ownText, id: "own", isSent: false)
                }
            }
        }
    }
}
