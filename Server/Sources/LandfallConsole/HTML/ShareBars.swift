// SPDX-License-Identifier: Apache-2.0

/// A share of each of a few kinds, as one bar below the other.
struct ShareBars: Hashable, Sendable {
    let name: String
    let parts: [(name: String, value: Int64)]
    /// Where the name of each part leads; empty: nowhere.
    var places: [Place] = []

    static func == (one: ShareBars, other: ShareBars) -> Bool {
        one.name == other.name && one.places == other.places && one.parts.elementsEqual(other.parts, by: ==)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    func html(_ language: Language) -> HTML {
        let total = parts.reduce(0) { $0 + $1.value }
        let rows = parts.enumerated().map { index, part in
            let share = total > 0 ? Double(part.value) / Double(total) : 0
            return tr {
                th(Attribute("scope", "row")) { places.isEmpty ? HTML(part.name) : a(.href(places[index])) { part.name } }
                td(.class("bar")) {
                    svg(Attribute("viewBox", "0 0 100 8"), Attribute("preserveAspectRatio", "none"), Attribute("aria-hidden", "true")) {
                        rect(.class("track"), Attribute("width", "100"), Attribute("height", "8")) {}
                        rect(.class("now"), Attribute("width", "\(Int((share * 100).rounded()))"), Attribute("height", "8")) {}
                    }
                }
                td(.class("number")) { language.count(part.value) }
                td(.class("number quiet")) { language.share(share) }
            }
        }
        return table(.class("bars"), Attribute("role", "table")) {
            caption(.class("hidden")) { name }
            tbody(Attribute("role", "rowgroup")) { HTMLBuilder.buildArray(rows).cells(of: []) }
        }
    }
}
