// SPDX-License-Identifier: Apache-2.0

/// The places of the app that show a paywall.
struct PlacementsPage {
    struct Placement: Hashable, Sendable {
        let name: String
        let entries: [PlacementEntry]
    }

    let frame: Frame
    /// The number of the version; nil where there is none.
    let version: Int64?
    let placements: [Placement]
    let filter: NameFilter

    private static let mostEntries = 5
    private var words: Words { frame.words }

    var html: HTML {
        frame.listing(
            words.placements, .placements, at: "/console/placements", version: version, filter, isEmpty: placements.isEmpty, none: words.noPlacements,
            new: .placement
        ) {
            scrollingTable(words.placements, titles: [words.placement, words.whoSeesWhat]) {
                for placement in placements { row(placement) }
            }
        }
    }

    private func row(_ placement: Placement) -> HTML {
        tr {
            th(Attribute("scope", "row")) { a(.href(Place("/console/placements", [placement.name]))) { placement.name } }
            td {
                ol {
                    for entry in placement.entries.prefix(Self.mostEntries) {
                        li {
                            frame.audience(entry.audience)
                            " → "
                            frame.showing(entry.showing)
                        }
                    }
                    if placement.entries.count > Self.mostEntries { li { words.andMore(placement.entries.count - Self.mostEntries) } }
                }
            }
        }
    }
}
