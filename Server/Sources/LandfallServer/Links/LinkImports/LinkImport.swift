// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Links of a table, also of other systems.
package struct LinkImport: Sendable {
    /// One row of the file: the new link in it, or why it cannot be read.
    package struct Row: Hashable, Sendable {
        /// Counts rows from 1, the header included; a row with a quoted field may span several lines.
        let number: Int
        package let newLink: Result<NewLink, LinkRefusal>
        private let start: CSVTable.Place
        /// The places of the fields of the new link.
        private let places: [String: CSVTable.Place]

        /// - Parameter columns: the places of the columns, by name.
        init(_ row: CSVTable.Row, places columns: [String: CSVTable.Place], _ newLink: Result<NewLink, LinkRefusal>) {
            var places = columns
            // A new link has the link's address in two fields, and the preview in one.
            (places["domain"], places["suffix"]) = (columns["url"], columns["url"])
            places["preview"] = ["title", "description", "image"].compactMap { columns[$0] }.min()
            (number, self.newLink, start, self.places) = (row.number, newLink, row.fields[0].place, places)
        }

        /// The place of a refused field in the file; the row's start if the file does not have the field.
        package func place(of field: String?) -> CSVTable.Place { field.flatMap { places[$0] } ?? start }
    }

    package internal(set) var rows: [Row] = []
    /// What the table has and no link gets, a sentence each: columns, archived links, values. At most ``mostRemarks``, and how many more.
    package private(set) var remarks: [String] = []
    private var unsaid = 0

    static let mostRemarks = 50

    /// - Throws: ``LinkRefusal`` if the text is not CSV, or its columns are not the format's.
    package init(_ text: String, _ format: LinkCatalog.Format) throws(LinkRefusal) {
        guard CombiningMarks.areFew(in: text) else {
            throw .invalid("A text has more than \(CombiningMarks.mostInARow) combining marks in a row. Remove some.")
        }
        guard !text.utf8.contains(0) else { throw .invalid("The table has U+0000, which no text may contain. Save it as UTF-8 text.") }
        let table = try CSVTable(text).rows
        switch format {
        case .csv: try takeNamed(table)
        case .firebase: takeFirebase(table)
        }
        if unsaid > 0 { remarks.append("\(unsaid) more remarks are left out.") }
    }

    mutating func remark(_ sentence: @autoclosure () -> String) {
        if remarks.count < Self.mostRemarks { remarks.append(sentence()) } else { unsaid += 1 }
    }

    // MARK: - Columns by name

    package static let columns: [String] = LinkColumn.allCases.map(\.rawValue)

    /// Columns of the console's table that are not part of the link.
    package static let figures: [String] = ["state", "isInFile", "clicks", "uniqueClicks", "firstOpens"]

    private mutating func takeNamed(_ table: [CSVTable.Row]) throws(LinkRefusal) {
        var places: [LinkColumn: Int] = [:]
        for (index, field) in (table.first?.fields ?? []).enumerated() {
            let name = field.text.trimmed
            guard let column = LinkColumn(header: name) else {
                if !name.isEmpty, !Self.figures.contains(name) {
                    remark(
                        "The column '\(name.shortened)' is not imported."
                            + (Suggestion.nearest(to: name, among: Self.columns).map { " Did you mean '\($0)'?" } ?? ""))
                }
                continue
            }
            if let first = places.updateValue(index, forKey: column), let other = table.first?.fields[first].text.trimmed {
                throw .invalid("The columns '\(other.shortened)' and '\(name.shortened)' are both '\(column.rawValue)'. Keep one of them.")
            }
        }
        guard places[.to] != nil else {
            let names = Self.columns.joined(separator: ", ")
            throw .invalid("The column 'to' is missing: where a link leads. Add it. Known columns are: \(names).")
        }
        let exact = Set(places.filter { table[0].fields[$0.value].text.trimmed == $0.key.rawValue }.keys)
        rows = table.dropFirst().map { row in
            let columns = places.filter { row.fields.indices.contains($0.value) }
            let fields = Dictionary(columns.map { ($0.key.rawValue, row.fields[$0.value].place) }) { first, _ in first }
            return Row(row, places: fields, Result { () throws(LinkRefusal) in try Self.newLink(columns, row.fields, exact: exact) })
        }
    }

    /// - Parameter exact: columns of times whose numbers are Unix milliseconds, whatever they look like.
    private static func newLink(_ columns: [LinkColumn: Int], _ fields: [CSVTable.Field], exact: Set<LinkColumn>) throws(LinkRefusal) -> NewLink {
        func field(_ column: LinkColumn) -> String? { columns[column].flatMap { fields.value($0) }.map { SpreadsheetCell.reading($0) } }
        // No address has a space.
        func ways(_ column: LinkColumn) -> [String]? { field(column)?.split(whereSeparator: \.isWhitespace).map { String($0) } }
        func flag(_ column: LinkColumn) throws(LinkRefusal) -> Bool? {
            guard let text = field(column) else { return nil }
            return try LinkColumn.flag(text, column)
        }
        func time(_ column: LinkColumn) throws(LinkRefusal) -> Int64? {
            guard let text = field(column) else { return nil }
            if exact.contains(column), let number = Int64(text) { return number }
            do throws(LinkRefusal) { return try WrittenTime.milliseconds(text, column.rawValue) } catch { throw error.at(column.rawValue) }
        }
        var newLink = NewLink(to: field(.to) ?? "")
        if let url = field(.url) { try newLink.take(place: url) }
        (newLink.campaign, newLink.adGroup, newLink.creative) = (field(.campaign), field(.adGroup), field(.creative))
        (newLink.label, newLink.channel) = (field(.label), field(.channel))
        (newLink.startsAtMilliseconds, newLink.expiresAtMilliseconds) = (try time(.startsAtMilliseconds), try time(.expiresAtMilliseconds))
        if let tags = field(.tags) { newLink.take(tags: tags) }
        (newLink.folder, newLink.ppid, newLink.pt, newLink.ct) = (field(.folder), field(.ppid), field(.pt), field(.ct))
        (newLink.ios, newLink.android, newLink.desktop) = (ways(.ios), ways(.android), ways(.desktop))
        newLink.take(preview: LinkPreview(title: field(.title), description: field(.description), image: field(.image)))
        (newLink.pasteboard, newLink.code) = (try flag(.pasteboard), try flag(.code))
        return newLink
    }
}

extension NewLink {
    /// The link keeps its address.
    mutating func take(place text: String) throws(LinkRefusal) {
        let link: LinkAddress
        do { link = try LinkAddress(text) } catch {
            throw LinkRefusal.invalid("'\(text.shortened)' is not the address of a link. \(error)").at("url")
        }
        guard let host = link.host, link.query == nil, link.fragment == nil else {
            throw LinkRefusal.invalid("'\(text.shortened)' is not a short link: https, a host and a path.").at("url")
        }
        (domain, suffix) = (host, link.path)
    }

    /// Takes the tags of one text, which has commas between them.
    package mutating func take(tags text: String) {
        tags = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    mutating func take(preview: LinkPreview) {
        if preview != LinkPreview() { self.preview = preview }
    }
}

extension [CSVTable.Field] {
    /// Nil if the row is shorter, or the field is empty.
    func value(_ index: Int) -> String? {
        guard indices.contains(index) else { return nil }
        let text = self[index].text.trimmed
        return text.isEmpty ? nil : text
    }
}

extension String {
    fileprivate var trimmed: String {
        var rest = unicodeScalars.drop { $0.properties.isWhitespace }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
