// SPDX-License-Identifier: Apache-2.0

private let ins = Element("ins"), del = Element("del")

extension ChangeList {
    /// The sentences, or that there is none.
    func html(_ words: VersionWords) -> HTML {
        HTMLBuilder.buildArray([
            isReadable ? .empty : p(.class("note")) { words.unreadable },
            isReadable && sentences.isEmpty ? p(.class("note")) { words.noMeaning } : .empty,
            sentences.isEmpty ? .empty : list(words.words),
            leftOut > 0 ? p(.class("note")) { words.furtherChanges(Int64(leftOut)) } : .empty,
        ])
    }

    private func list(_ words: Words) -> HTML {
        guard words.language != .english, meanings.contains(where: { $0 != nil }) else {
            return ul(.class("sentences"), .lang(.english)) { for sentence in sentences { li { sentence } } }
        }
        return ul(.class("sentences")) {
            for (sentence, meaning) in zip(sentences, meanings) {
                if let meaning { li { meaning.html(words) } } else { li(.lang(.english)) { sentence } }
            }
        }
    }
}

extension LineChanges {
    /// - Parameter name: of the region, which is unique on its page.
    func html(_ words: VersionWords, name: String) -> HTML {
        guard !hunks.isEmpty else { return p(.class("note")) { words.noLines } }
        return HTMLBuilder.buildArray([
            p(.class("note")) { words.lineCounts(added: Int64(added), removed: Int64(removed)) },
            pre(.class("diff"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(name)) {
                code {
                    for hunk in hunks {
                        span { "@@ \(words.line(hunk.oldStart)) → \(hunk.newStart) @@\n" }
                        for line in hunk.lines {
                            switch line.kind {
                            case .same: span { "  " + line.text + "\n" }
                            case .added: ins { "+ " + line.text + "\n" }
                            case .removed: del { "- " + line.text + "\n" }
                            }
                        }
                    }
                }
            },
            leftOut > 0 ? p(.class("note")) { words.furtherLines(Int64(leftOut)) } : .empty,
        ])
    }
}

/// Each remark with its line.
func remarkList(_ remarks: [TextRemark], _ words: VersionWords, isLinked: Bool = false) -> HTML {
    ul(.class("remarks")) {
        for remark in remarks {
            let place = words.place(line: remark.line, column: remark.column)
            li {
                if isLinked { a(Attribute("href", "#text")) { place } } else { strong { place } }
                span(.class("line"), .lang(.english)) { remark.sentence }
                if !remark.excerpt.isEmpty { code(.class("line")) { remark.excerpt } }
            }
        }
    }
}

extension ImpactSample {
    func html(_ words: VersionWords) -> HTML {
        let language = words.words.language
        guard sampled > 0 else { return p(.class("note")) { words.nobodySampled } }
        return HTMLBuilder.buildArray([
            p(.class("note")) { words.sampled(sampled) },
            scrollingTable(words.impact, titles: [words.placement], numbers: [words.seeAnother, words.share, words.range]) {
                for line in lines {
                    tr {
                        th(Attribute("scope", "row")) { line.placement }
                        td(.class("number")) { language.count(line.changed) }
                        td(.class("number")) { language.share(line.share) }
                        td(.class("number")) { language.share(line.low) + " – " + language.share(line.high) }
                    }
                }
            },
        ])
    }
}

/// The text of a configuration in a form.
func configurationText(
    _ text: String, title: String, id: String = "text", isSent: Bool = true, isWrong: Bool = false, describedBy: String? = nil
) -> HTML {
    // Browsers remove a line break after the tag, so that the text's own first one needs another.
    let content = HTML("\n" + text)
    var attributes: [Attribute] = [
        .id(id), Attribute("rows", "20"), Attribute("wrap", "off"), Attribute("spellcheck", "false"), Attribute("autocomplete", "off"),
        Attribute("autocapitalize", "off"), .optional("aria-invalid", isWrong ? "true" : nil), .optional("aria-describedby", describedBy),
    ]
    attributes.append(isSent ? .name("text") : .flag("readonly"))
    return div(.class("field")) {
        label(Attribute("for", id)) { title }
        textarea(attributes, content)
    }
}
