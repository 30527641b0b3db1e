// SPDX-License-Identifier: Apache-2.0

/// A table in a region of its own, which scrolls where the page is narrower than the table.
/// - Parameters:
///   - name: of the region, for those who do not see it.
///   - titles: of the columns.
///   - numbers: titles of the further columns, which have numbers.
func scrollingTable(
    _ name: String, caption title: String? = nil, titles: [String], numbers: [String] = [], @HTMLBuilder rows: () -> HTML
) -> HTML {
    div(.class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(name)) {
        table {
            if let title { caption { title } }
            thead {
                tr {
                    for title in titles { th(Attribute("scope", "col")) { title } }
                    for title in numbers { th(.class("number"), Attribute("scope", "col")) { title } }
                }
            }
            tbody { rows() }
        }
    }
}
