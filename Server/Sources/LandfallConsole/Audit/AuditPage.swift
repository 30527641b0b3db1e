// SPDX-License-Identifier: Apache-2.0

/// Every change and every sign-in, the newest first.
struct AuditPage {
    struct Entry: Hashable, Sendable {
        let atMs: Int64
        /// Nil: nobody was signed in.
        let member: String?
        let action: String
        let subject: String
        let network: String?
    }

    /// The entries that the page shows.
    struct Filter: Hashable, Sendable {
        /// Bytes: as long as an address of a member.
        static let longest = 254

        /// A stored name. Empty: of everybody.
        let member: String
        /// A stored name. Empty: every action.
        let action: String

        init(member: String = "", action: String = "") {
            self.member = member
            self.action = action
        }

        /// Of the address of a page with this filter.
        var pairs: [(String, String?)] { [("member", member.isEmpty ? nil : member), ("action", action.isEmpty ? nil : action)] }
    }

    let frame: Frame
    let entries: [Entry]
    /// Where the next page begins; nil on the last one.
    let before: String?
    var filter = Filter()
    /// The stored names of all actions.
    var actions: [String] = []

    private var words: Words { frame.words }

    var html: HTML {
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
            ChoiceField(
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
        func named(_ text: some StringProtocol) -> String { role(stored: String(text)) }
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
    func actor(named text: String) -> String {
        if text.lowercased() == serverOperator.lowercased() { return "operator" }
        let key = serverKeyNamed("")
        return text.lowercased().hasPrefix(key.lowercased()) ? "key " + text.dropFirst(key.count) : text
    }
}
