// SPDX-License-Identifier: Apache-2.0

/// Every change and every sign-in, the newest first.
package struct AuditPage {
    package struct Entry: Hashable, Sendable {
        package let atMs: Int64
        /// Nil: nobody was signed in.
        package let member: String?
        package let action: String
        package let subject: String
        package let network: String?

        package init(atMs: Int64, member: String?, action: String, subject: String, network: String?) {
            self.atMs = atMs
            self.member = member
            self.action = action
            self.subject = subject
            self.network = network
        }
    }

    /// The entries that the page shows.
    package struct Filter: Hashable, Sendable {
        /// A stored name. Empty: of everybody.
        package let member: String
        /// A stored name. Empty: every action.
        package let action: String

        package init(member: String = "", action: String = "") {
            self.member = member
            self.action = action
        }

        /// Of the address of a page with this filter.
        var pairs: [(String, String?)] { [("member", member.isEmpty ? nil : member), ("action", action.isEmpty ? nil : action)] }
    }

    package let frame: Frame
    package let entries: [Entry]
    /// Where the next page begins; nil on the last one.
    package let before: String?
    package var filter = Filter()
    /// The stored names of all actions.
    package var actions: [String] = []

    package init(frame: Frame, entries: [Entry], before: String?) {
        self.frame = frame
        self.entries = entries
        self.before = before
    }

    private var words: Words { frame.words }

    package var html: HTML {
        frame.page(words.auditLog, .audit, note: words.auditNote) {
            section(.class("block")) {
                filters
                if entries.isEmpty, filter != Filter() { p(.class("empty")) { before == nil ? words.noAuditEntries : words.noAuditEntriesYet } }
                if !entries.isEmpty { table }
                p(.class("toolbar")) {
                    if let before {
                        a(.class("button"), .href(Place("/console/settings/audit", query: filter.pairs + [("before", before)]))) { words.older }
                    }
                    a(.href(Place("/console/settings/audit.csv", query: filter.pairs))) { "CSV" }
                    a(.href(Place("/console/settings/audit.json", query: filter.pairs))) { "JSON" }
                }
            }
        }
    }

    private var filters: HTML {
        form(.class("find"), Attribute("method", "get"), .action(Place("/console/settings/audit")), Attribute("role", "search")) {
            Field(name: "member", title: words.memberColumn, value: words.name(ofActor: filter.member), isRequired: false).html
            LinkChoice(
                name: "action", title: words.action, choices: [("", words.everyAction)] + actions.map { ($0, words.name(ofAction: $0)) },
                chosen: filter.action
            ).html
            button { words.showEntries }
        }
    }

    private var table: HTML {
        scrollingTable(words.auditLog, titles: [words.time, words.memberColumn, words.action, words.subject, words.network]) {
            for entry in entries {
                tr {
                    td(.class("nowrap")) { words.instant(entry.atMs) }
                    td { entry.member.map { words.name(ofActor: $0) } ?? "–" }
                    td { words.name(ofAction: entry.action) }
                    td { words.subject(of: entry) }
                    td { entry.network ?? "–" }
                }
            }
        }
    }
}

extension Words {
    /// The log keeps the stored names of roles, so that it can be read in every language.
    func subject(of entry: AuditPage.Entry) -> String {
        let subject = entry.subject
        func named(_ text: some StringProtocol) -> String { Role(rawValue: String(text)).map { role($0) } ?? String(text) }
        switch entry.action {
        case "owner_created", "joined": return named(subject)
        case "invited", "invitation_cancelled":
            guard subject.hasSuffix(")"), let open = subject.lastIndex(of: "(") else { return subject }
            return subject[...open] + named(subject[subject.index(after: open)...].dropLast()) + ")"
        case "role_changed":
            // An address has no spaces.
            let parts = subject.split(separator: " ")
            guard parts.count == 4, parts[2] == "→" else { return subject }
            return "\(parts[0]) \(named(parts[1])) → \(named(parts[3]))"
        case "person_forgotten":
            guard subject.hasPrefix("installs: "), let count = Int64(subject.dropFirst(10)) else { return subject }
            return installsForgotten(language.count(count))
        default: return subject
        }
    }

    /// A member's address stays as it is; keys and commands are named.
    func name(ofActor actor: String) -> String {
        if actor == "operator" { return serverOperator }
        return actor.hasPrefix("key ") ? serverKeyNamed(String(actor.dropFirst(4))) : actor
    }

    /// The stored name of somebody whom a page names, or who is written as stored already.
    package func actor(named text: String) -> String {
        if text.lowercased() == serverOperator.lowercased() { return "operator" }
        let key = serverKeyNamed("")
        return text.lowercased().hasPrefix(key.lowercased()) ? "key " + text.dropFirst(key.count) : text
    }
}
