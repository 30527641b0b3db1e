// SPDX-License-Identifier: Apache-2.0

/// What every page of a signed-in member has in common.
package struct Frame: Hashable, Sendable {
    enum Section: String, CaseIterable, Sendable {
        case overview, live
        case experiments
        case placements
        case audiences
        case paywalls
        case versions
        case links
        case members, audit, account
        case health
        case keys
        case campaigns
        case linkReport
        case paywallReport
        case profiles
        case funnel
        case retention
        /// Called otherwise here, because sections before it have all letters of its name.
        case revenue = "sales"
        /// What programs may call.
        case api = "description"
        case webhooks
        /// Called otherwise here, because sections before it have all letters of its name.
        case help = "questions"
    }

    let words: Words
    let app: String
    let memberName: String
    let role: Role
    /// Proves that a form comes from a page of this session.
    let formToken: String
    /// The path and query of the page, for the switch of languages.
    let address: String
    /// False where the member has switched keyboard shortcuts off.
    var hasShortcuts = true
    /// A file has the last word on the configuration: `--config-owner file`.
    var isFileOwned = false
    /// Under which name the browser keeps what this member has looked at in this app; empty: it keeps nothing.
    var memory = ""
    /// The page answers a form, so that it is another one than the page at its address.
    var answersForm = false

    package init(words: Words, app: String, memberName: String, role: Role, formToken: String, address: String) {
        self.words = words
        self.app = app
        self.memberName = memberName
        self.role = role
        self.formToken = formToken
        self.address = address
    }

    var language: Language { words.language }

    func can(_ right: Right) -> Bool { role.rights.contains(right) }

    /// The hidden field of every form.
    var proof: HTML { input(.type("hidden"), .name("csrf"), .value(formToken)) }
}

extension Frame {
    /// A whole page.
    /// - Parameters:
    ///   - note: beside the title, such as how complete the numbers are.
    ///   - refreshes: the page without script loads itself again.
    func page(
        _ heading: String, _ section: Section?, note: String? = nil, refreshes: Bool = false, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        document(language) {
            Head.html(heading + " · Landfall", refreshes: refreshes)
            body(.class("console")) {
                a(.class("skip"), .href(Place(part: "content"))) { words.skip }
                header(.class("bar")) {
                    a(.class("brand"), .href(Place("/console"))) { Head.mark; span { app } }
                    findLink
                    details(.class("menu")) {
                        summary { words.menu }
                        sections(section)
                    }
                    sections(section, isWide: true)
                }
                main(.id("content"), .flag("tabindex", false)) {
                    header(.class("title")) {
                        h1 { heading }
                        help(heading, section)
                        if let note { p(.class("note")) { note } }
                    }
                    content()
                }
                Head.languages(language, address: address)
                commandBar(section)
                if hasShortcuts { shortcutsDialog }
            }
        }
    }

    private func sections(_ current: Section?, isWide: Bool = false) -> HTML {
        nav(.class(isWide ? "sections wide" : "sections"), .label(words.navigation)) {
            for group in SectionGroup.allCases {
                let items = group.sections.filter { can($0.right) }
                if !items.isEmpty {
                    p(.class("group")) { words.name(of: group) }
                    ul {
                        for item in items {
                            li {
                                a(
                                    .href(item.place), .optional("aria-current", item == current ? "page" : nil),
                                    .optional("data-key", hasShortcuts ? item.letter : nil)
                                ) { words.name(of: item) }
                            }
                        }
                    }
                }
            }
            div(.class("me")) {
                p { strong { memberName }; span(.class("quiet")) { words.role(role) } }
                form(.action(Place("/console/sign-out")), Attribute("method", "post")) {
                    proof
                    button(.class("plain")) { words.signOut }
                }
            }
        }
    }
}
