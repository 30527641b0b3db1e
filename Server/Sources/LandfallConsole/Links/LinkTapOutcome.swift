// SPDX-License-Identifier: Apache-2.0

/// What happens to a person who taps a link: by the phone, by where it is tapped, and by whether the app is there.
struct LinkTapOutcome: Hashable, Sendable {
    enum Device: String, CaseIterable, Sendable { case ios, android, desktop, ipadOrMac }

    enum Outcome: Hashable, Sendable {
        /// The system opens the app, without the browser.
        case app
        case store(String)
        case web(String)
        /// The link's page, with these ways on.
        case page([Way])
        case expired
    }

    enum Way: String, CaseIterable, Sendable { case app, store, web, pasteboard, code, scan }

    let device: Device
    /// Inside another app, such as a messenger.
    let isInApp: Bool
    let installed: Outcome
    let missing: Outcome

    static func table(_ happenings: [LinkTapOutcome], _ words: Words) -> HTML {
        section(.class("block")) {
            h2 { words.linkHappens }
            p(.class("note")) { words.linkHappensNote }
            scrollingTable(words.linkHappens, titles: [words.linkTapped, words.linkWithApp, words.linkWithoutApp]) {
                for happening in happenings {
                    tr {
                        th(Attribute("scope", "row")) { words.linkPlace(happening.device, isInApp: happening.isInApp) }
                        td { happening.installed.html(words) }
                        td { happening.missing.html(words) }
                    }
                }
            }
        }
    }

    /// In a few lines: the browsers of phones, and computers.
    static func list(_ happenings: [LinkTapOutcome], _ words: Words) -> HTML {
        dl(.class("link-facts")) {
            for happening in happenings where !happening.isInApp && happening.device != .ipadOrMac {
                let device = happening.device == .ios ? "iPhone" : words.linkDevice(happening.device)
                if happening.installed == happening.missing {
                    happening.missing.term(device, words)
                } else {
                    happening.installed.term(device + " · " + words.linkWithApp, words)
                    happening.missing.term(device + " · " + words.linkWithoutApp, words)
                }
            }
        }
    }
}

extension LinkTapOutcome.Outcome {
    fileprivate func html(_ words: Words) -> HTML {
        switch self {
        case .app: strong { words.linkOpensApp }
        case .store(let address): named(words.linkOpensStore, address)
        case .web(let address): named(words.linkOpensWeb, address)
        case .page(let ways): named(words.linkOpensPage, ways.map { words.linkWayOn($0) }.joined(separator: " · "))
        case .expired: strong { words.linkOpensNothing }
        }
    }

    fileprivate func term(_ name: String, _ words: Words) -> HTML {
        div {
            dt { name }
            dd { html(words) }
        }
    }

    private func named(_ name: String, _ more: String) -> HTML {
        HTMLBuilder.buildArray([strong { name }, span(.class("quiet line link-address")) { more }])
    }
}
