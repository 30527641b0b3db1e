// SPDX-License-Identifier: Apache-2.0

/// Every paywall.
struct PaywallsPage {
    struct Paywall: Hashable, Sendable {
        let name: String
        let products: [String]
        let locales: [String]
        let uses: Int
    }

    let frame: Frame
    let version: Int64?
    let paywalls: [Paywall]
    let filter: NameFilter

    private var words: Words { frame.words }

    var html: HTML {
        frame.listing(
            words.paywalls, .paywalls, at: "/console/paywalls", version: version, filter, isEmpty: paywalls.isEmpty, none: words.noPaywalls,
            new: .paywall
        ) {
            scrollingTable(words.paywalls, titles: [words.paywall, words.products, words.locales], numbers: [words.used]) {
                for paywall in paywalls {
                    tr {
                        th(Attribute("scope", "row")) { a(.href(Place("/console/paywalls", [paywall.name]))) { paywall.name } }
                        td { few(paywall.products) }
                        td { few(paywall.locales) }
                        td(.class("number")) { words.language.count(Int64(paywall.uses)) }
                    }
                }
            }
        }
    }

    private func few(_ names: [String]) -> String {
        names.isEmpty ? "–" : names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", " + words.andMore(names.count - 6) : "")
    }
}
