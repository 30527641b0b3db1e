// SPDX-License-Identifier: Apache-2.0

/// The parts that pages have with and without a member.
enum Head {
    static func html(_ heading: String, refreshes: Bool = false) -> HTML {
        head {
            meta(Attribute("charset", "utf-8"))
            title { heading }
            meta(.name("viewport"), Attribute("content", "width=device-width, initial-scale=1"))
            meta(.name("color-scheme"), Attribute("content", "light dark"))
            meta(.name("robots"), Attribute("content", "noindex"))
            link(Attribute("rel", "icon"), .href(Asset.icon.place), .type("image/svg+xml"))
            link(Attribute("rel", "stylesheet"), .href(Asset.style.place))
            script(.type("module"), Attribute("src", Asset.script.place.text)) {}
            if refreshes { noscript { meta(Attribute("http-equiv", "refresh"), Attribute("content", "10")) } }
        }
    }

    /// The product's mark: something that comes down and lands.
    static var mark: HTML {
        svg(.class("mark"), Attribute("viewBox", "0 0 24 24"), Attribute("aria-hidden", "true")) {
            path(Attribute("d", "M12 3v10m-4.5-4.5L12 13l4.5-4.5")) {}
            path(Attribute("d", "M3.5 18.5c2.8-2 5.7-2 8.5 0s5.7 2 8.5 0")) {}
        }
    }

    static func languages(_ current: Language, address: String) -> HTML {
        footer(.class("foot")) {
            nav(.label(Words(current).languages)) {
                ul {
                    for language in Language.allCases {
                        li {
                            a(
                                .href(Place("/console/language", [language.tag], query: [("next", address)])), .lang(language),
                                Attribute("hreflang", language.tag), .optional("aria-current", language == current ? "true" : nil)
                            ) { language.name }
                        }
                    }
                }
            }
        }
    }
}
