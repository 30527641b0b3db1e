// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// A table in a region of its own. On a phone each row is a card, and each cell in it has the title of its column.
/// - Parameters:
///   - name: of the region, for those who do not see it.
///   - titles: of the columns.
///   - numbers: titles of the further columns, which have numbers.
///   - hasCards: false for a table that stays one on a phone: the region scrolls.
func scrollingTable(
    _ name: String, caption title: String? = nil, titles: [String], numbers: [String] = [], hasCards: Bool = true, @HTMLBuilder rows: () -> HTML
) -> HTML {
    let heads = HTMLBuilder.buildArray(
        titles.map { title in th(Attribute("scope", "col")) { title } }
            + numbers.map { title in th(.class("number"), Attribute("scope", "col")) { title } })
    let title = title.map { title in caption { title } }
    return hasCards
        ? cardTable(name, caption: title, titles: titles + numbers, heads: heads, rows: rows())
        : region(name) {
            table {
                title
                thead { tr { heads } }
                tbody { rows() }
            }
        }
}

/// The same with heads of its own, such as links that sort: a phone shows them above the cards.
/// - Parameters:
///   - titles: of all columns, in the order of the cells.
///   - sorting: what the links in the heads do, for phones.
func cardTable(
    _ name: String, caption: HTML? = nil, titles: [String], sorting: String? = nil, heads: HTML, rows: HTML, foot: HTML? = nil
) -> HTML {
    let group = Attribute("role", "rowgroup")
    return region(name) {
        table(Attribute("role", "table")) {
            caption
            thead(group) { tr(.optional("data-label", sorting)) { heads }.cells(of: titles, isHead: true) }
            tbody(group) { rows.cells(of: titles) }
            if let foot { tfoot(group) { foot.cells(of: titles) } }
        }
    }
}

private func region(_ name: String, @HTMLBuilder content: () -> HTML) -> HTML {
    div(.class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(name), content: content)
}

extension HTML {
    /// These rows with a role for each part and a title for each cell. Roles are written out, because some browsers drop them when CSS
    /// changes the `display` of a table.
    ///
    /// Texts are escaped, so that each `<td` is a cell. A table in a cell stays as it is.
    func cells(of titles: [String], isHead: Bool = false) -> HTML {
        let labels = titles.map { " role=\"cell\"" + ($0.isEmpty ? "" : " data-label=\"\($0.escapedForHTML)\"") }
        let header = " role=\"\(isHead ? "columnheader" : "rowheader")\""
        var marked = "", copied = markup.startIndex, place = markup.startIndex, column = 0, depth = 0
        while let open = markup.utf8[place...].firstIndex(of: UInt8(ascii: "<")) {
            let name = markup.utf8[open...].dropFirst().prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: " ") }
            place = name.endIndex
            var added: String?
            switch String(Substring(name)) {
            case "table": depth += 1
            case "/table": depth -= 1
            case "tr" where depth == 0: (column, added) = (0, " role=\"row\"")
            case "th" where depth == 0: (column, added) = (column + 1, header)
            case "td" where depth == 0: (column, added) = (column + 1, labels.indices.contains(column) ? labels[column] : " role=\"cell\"")
            default: break
            }
            if let added {
                marked += markup[copied..<place]
                marked += added
                copied = place
            }
        }
        return HTML(markup: marked + String(markup[copied...]))
    }
}
