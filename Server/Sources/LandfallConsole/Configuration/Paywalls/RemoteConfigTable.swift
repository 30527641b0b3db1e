// SPDX-License-Identifier: Apache-2.0

/// The locales of a remote config side by side; with forms, each value in a field of its own kind.
struct RemoteConfigTable {
    let frame: Frame
    let grid: RemoteConfigGrid
    let forms: ConfigurationForms?

    private var words: Words { frame.words }

    @HTMLBuilder var html: HTML {
        if grid.columns.contains(where: { $0.missing > 0 }) { p(.class("note")) { words.missingNote } }
        div(.class("locales")) {
            scrollingTable(words.remoteConfig, titles: [words.path] + grid.columns.map { words.name(of: $0) }) {
                for (index, row) in grid.rows.enumerated() { html(of: row, index) }
            }
        }
        if grid.unlisted > 0 { p(.class("note")) { words.andMore(grid.unlisted) } }
    }

    private func html(of row: RemoteConfigGrid.Row, _ index: Int) -> HTML {
        tr {
            th(Attribute("scope", "row")) {
                code { row.path }
                if row.kind != .structure { span(.class("line quiet")) { words.name(of: row.kind) } }
            }
            for (column, cell) in row.cells.enumerated() {
                td {
                    if let forms, let said = cell.said, row.kind(column) != .structure {
                        field("value.\(index).\(column)", said, row, column, forms)
                    } else {
                        text(cell)
                    }
                }
            }
        }
    }

    private var missing: HTML { span(.class("problem")) { words.missing } }

    @HTMLBuilder private func text(_ cell: RemoteConfigGrid.Cell) -> HTML {
        switch cell {
        case .value(let node):
            if RemoteConfigKind(node) == .color { swatch(node.leafText) }
            node.leafText
        case .missing: missing
        case .absent: "–"
        case .other(let text): text
        }
    }

    /// A colour as an attribute of a picture: the policy of the console allows no style.
    private func swatch(_ color: String) -> HTML {
        svg(.class("swatch"), Attribute("aria-hidden", "true")) {
            rect(Attribute("width", "100%"), Attribute("height", "100%"), Attribute("fill", color)) {}
        }
    }

    private func field(
        _ name: String, _ said: String, _ row: RemoteConfigGrid.Row, _ column: Int, _ forms: ConfigurationForms
    ) -> HTML {
        let title = row.path + " · " + grid.columns[column].code, value = forms.value(name, said)
        return frame.control(name, title, forms, isHidden: true) {
            if case .missing = row.cells[column] { missing }
            if let original = row.original { span(.class("line quiet")) { original } }
            switch row.kind(column) {
            case .flag: frame.choice(name, (said.isEmpty ? [("", "–")] : []) + flags(said), forms, said: said)
            case .number: frame.box(name, value, forms, mode: "decimal")
            case .color: color(name, value, title, forms)
            case .address: frame.box(name, value, forms, mode: "url")
            case .text, .structure:
                if max(said.count, row.longest) > Self.shortText || said.contains(where: \.isNewline) { frame.area(name, value, forms) } else {
                    frame.box(name, value, forms)
                }
            }
        }
    }

    /// A longer text has several lines.
    private static let shortText = 32

    /// As the file writes them: also `True`.
    private func flags(_ said: String) -> [(value: String, name: String)] {
        [WhyPage.Answer.yes, .no].map { answer in
            let written = answer == .yes ? "true" : "false"
            return (said.lowercased() == written ? said : written, words.name(of: answer))
        }
    }

    /// The value as a text, its colour, and with the page's script the browser's picker in the place of the colour.
    private func color(_ name: String, _ value: String, _ title: String, _ forms: ConfigurationForms) -> HTML {
        let isKnown = RemoteConfigKind.isColor(value)
        return div(.class("color")) {
            if isKnown { swatch(value) }
            input(
                .type("color"), .value(isKnown ? RemoteConfigKind.opaque(value) : "#000000"), .label(words.pick(title)),
                Attribute("data-picks", name), .flag("hidden"))
            frame.box(name, value, forms)
        }
    }
}

extension RemoteConfigGrid.Row {
    /// Of the texts of all columns.
    fileprivate var longest: Int { cells.reduce(0) { max($0, $1.said?.count ?? 0) } }
}
