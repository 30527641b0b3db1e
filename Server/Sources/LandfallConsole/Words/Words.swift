// SPDX-License-Identifier: Apache-2.0

/// Every text of the console. The English is here; the catalogues of other languages have its translations.
package struct Words: Hashable, Sendable, Translating {
    package let language: Language
    var clock = PageClock.utc

    package init(_ language: Language) { self.language = language }
}

/// Around every page.
extension Words {
    var skip: String { translate("Skip to content") }
    var menu: String { translate("Menu") }
    var navigation: String { translate("Sections") }
    var languages: String { translate("Language") }
    var overview: String { translate("Overview") }
    var live: String { translate("Live", context: "the page") }
    var links: String { translate("Links") }
    var members: String { translate("Members") }
    var auditLog: String { translate("Audit log") }
    var account: String { translate("Your account") }
    var signOut: String { translate("Sign out") }
    var save: String { translate("Save") }
    var cancel: String { translate("Cancel", context: "a form") }
    var asTable: String { translate("As a table") }
    var none: String { translate("None") }
    var older: String { translate("Older entries") }
    func completeTo(_ time: String, zone: String) -> String { translate("Complete to \(time) \(zone)") }
}

/// Errors.
extension Words {
    var errorSummary: String { translate("Please correct this:") }
    var notFoundTitle: String { translate("There is no such page") }
    var notFoundText: String { translate("The address may be mistyped, or the thing was removed.") }
    var forbiddenTitle: String { translate("Your role does not allow this") }
    func forbiddenText(_ roles: [Role]) -> String {
        let names = language.list(roles.map { role($0) })
        return translate("This needs one of these roles: \(names). Ask an owner of this server.")
    }
    var forgedTitle: String { translate("The form could not be checked") }
    var forgedText: String {
        translate("It did not come from this console, or your session has changed since. Nothing was changed. Go back, reload the page and send it again.")
    }
    var tooLargeTitle: String { translate("The form is too large") }
    func tooLargeText(_ kibibytes: Int) -> String {
        translate("It may have \(kibibytes) KiB as it is sent. Nothing was changed. Go back and send it in smaller parts.")
    }
    func tooManyFieldsText(_ most: Int) -> String {
        translate("It may have \(most) fields. Nothing was changed. Go back and send it in smaller parts.")
    }
    func tooLongDraftText(_ kibibytes: Int) -> String {
        translate("The configuration in it may have \(kibibytes) KiB. Nothing was changed. Change the file itself, and run: landfall apply")
    }
    func tooManyValuesText(_ most: Int) -> String {
        let most = language.count(Int64(most))
        return translate("The configuration in it may have \(most) values, with those that aliases repeat. Nothing was changed. Change the file itself, and run: landfall apply")
    }
    var unreadableTitle: String { translate("The form cannot be read") }
    var unreadableText: String { translate("A browser does not send such a form. Nothing was changed.") }
    var refusedTitle: String { translate("A value is not possible") }
    var refusedText: String {
        translate("The address or the form has a value that this page does not know. Nothing was changed.")
    }
    var failedTitle: String { translate("The server failed") }
    func failedText(_ id: String) -> String { translate("Its log has the request \(id). Try again.") }
    var busyTitle: String { translate("The server is busy") }
    var busyText: String { translate("Try again in a moment.") }
    var back: String { translate("Back to the overview") }
}

extension Words {
    /// By the name that the audit log stores; an unknown one stays as it is.
    func role(stored text: String) -> String { Role(rawValue: text).map { role($0) } ?? text }

    func role(_ role: Role) -> String {
        switch role {
        case .owner: translate("Owner")
        case .admin: translate("Admin")
        case .editor: translate("Editor")
        case .viewer: translate("Viewer")
        case .support: translate("Support")
        }
    }

    func describe(_ role: Role) -> String {
        switch role {
        case .owner: translate("Everything, also owners.")
        case .admin: translate("Everything but owners.")
        case .editor: translate("Reports, people, links, configuration.")
        case .viewer: translate("Reports and configuration, no people.")
        case .support: translate("People, no reports.")
        }
    }
}
