// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Reads links of other systems from CSV.
package enum LinkImport {
    /// One row of the file: the new link in it, or why it cannot be read.
    package struct Row: Hashable, Sendable {
        /// Counts rows from 1, the header included; a row with a quoted field may span several lines.
        let number: Int
        package let newLink: Result<NewLink, LinkRefusal>
        fileprivate let start: CSVTable.Place
        /// The places of the fields of the new link.
        fileprivate let places: [String: CSVTable.Place]

        /// The place of a refused field in the file; the row's start if the file does not have the field.
        package func place(of field: String?) -> CSVTable.Place { field.flatMap { places[$0] } ?? start }
    }

    /// - Throws: ``LinkRefusal`` if the text is not CSV, or its columns are not the format's.
    package static func rows(_ text: String, _ format: LinkCatalog.Format) throws(LinkRefusal) -> [Row] {
        guard CombiningMarks.areFew(in: text) else {
            throw .invalid("A text has more than \(CombiningMarks.mostInARow) combining marks in a row. Remove some.")
        }
        let rows = try CSVTable(text).rows
        switch format {
        case .csv: return try named(rows)
        case .firebase: return firebase(rows)
        }
    }

    // MARK: - Columns by name

    package static let columns: [String] = [
        "url", "to", "campaign", "adGroup", "creative", "label", "channel", "expiresAtMilliseconds", "ios", "android",
        "desktop",
        "title", "description", "image", "pasteboard", "code",
    ]

    /// Columns of the console's table that are not part of the link.
    package static let figures: [String] = ["state", "isInFile", "clicks", "uniqueClicks", "firstOpens"]

    private static func named(_ rows: [CSVTable.Row]) throws(LinkRefusal) -> [Row] {
        let header = rows.first?.fields.map { $0.text.trimmed } ?? []
        if let unknown = header.first(where: { name in !columns.contains(name) && !figures.contains(name) }) {
            throw .invalid("There is no column '\(unknown.shortened)'. Known are: \(columns.joined(separator: ", ")).")
        }
        // Keeps the header short, so that the time to read a row depends only on the row's length.
        guard Set(header).count == header.count else {
            throw .invalid("A column occurs more than once. Known are: \(columns.joined(separator: ", ")). Keep one of each.")
        }
        guard header.contains("to") else { throw .invalid("The column 'to' is missing: where a link leads. Add it.") }
        return rows.dropFirst().map { row in
            let places = Dictionary(zip(header, row.fields.map(\.place))) { first, _ in first }
            return Row(row, places: places, Result { () throws(LinkRefusal) in try newLink(header, row.fields) })
        }
    }

    private static func newLink(_ header: [String], _ fields: [CSVTable.Field]) throws(LinkRefusal) -> NewLink {
        func field(_ name: String) -> String? {
            header.firstIndex(of: name).flatMap { fields.value($0) }.map { SpreadsheetCell.reading($0) }
        }
        // No address has a space.
        func ways(_ name: String) -> [String]? { field(name)?.split(whereSeparator: \.isWhitespace).map { String($0) } }
        func flag(_ name: String) -> Bool? { field(name).map { ["true", "yes", "1"].contains($0.lowercased()) } }
        var newLink = NewLink(to: field("to") ?? "")
        if let url = field("url") { try newLink.take(place: url) }
        (newLink.campaign, newLink.adGroup, newLink.creative) = (field("campaign"), field("adGroup"), field("creative"))
        (newLink.label, newLink.channel) = (field("label"), field("channel"))
        if let expires = field("expiresAtMilliseconds") {
            guard let milliseconds = Int64(expires) else {
                throw LinkRefusal.invalid("'expiresAtMilliseconds' is not a whole number. Write Unix milliseconds.")
                    .at("expiresAtMilliseconds")
            }
            newLink.expiresAtMilliseconds = milliseconds
        }
        (newLink.ios, newLink.android, newLink.desktop) = (ways("ios"), ways("android"), ways("desktop"))
        newLink.take(preview: LinkPreview(title: field("title"), description: field("description"), image: field("image")))
        (newLink.pasteboard, newLink.code) = (flag("pasteboard"), flag("code"))
        return newLink
    }

    // MARK: - Firebase Dynamic Links

    /// The export has one file for each domain, with columns in these positions (firebase.google.com, "Export Dynamic Links
    /// metadata").
    private enum Column: Int {
        case shortLink = 0, deepLink = 1, androidFallback = 3, iosFallback = 6, desktopFallback = 13
        case title = 14, description = 15, image = 16
        case source = 17, medium = 18, campaign = 19, term = 20, content = 21
        case isArchived = 26
    }

    private static let firebasePlaces: [(field: String, column: Column)] = [
        ("url", .shortLink), ("to", .deepLink), ("android", .androidFallback), ("ios", .iosFallback),
        ("desktop", .desktopFallback), ("title", .title), ("description", .description), ("image", .image),
    ]

    private static func firebase(_ rows: [CSVTable.Row]) -> [Row] {
        // The first row is a header, unless it contains a link.
        let hasHeader = rows.first?.fields.value(Column.shortLink.rawValue)?.hasPrefix("http") != true
        return rows.dropFirst(hasHeader ? 1 : 0).compactMap { row in
            func field(_ column: Column) -> String? { row.fields.value(column.rawValue) }
            if ["true", "yes", "1"].contains(field(.isArchived)?.lowercased()) { return nil }
            guard let shortLink = field(.shortLink) else { return nil }
            var places: [String: CSVTable.Place] = [:]
            for (field, column) in firebasePlaces where row.fields.indices.contains(column.rawValue) {
                places[field] = row.fields[column.rawValue].place
            }
            return Row(
                row, places: places,
                Result { () throws(LinkRefusal) in
                    var newLink = NewLink(to: field(.deepLink) ?? "")
                    try newLink.take(place: shortLink)
                    newLink.ios = field(.iosFallback).map { [$0] }
                    newLink.android = field(.androidFallback).map { [$0] }
                    newLink.desktop = field(.desktopFallback).map { [$0] }
                    newLink.take(
                        preview: LinkPreview(title: field(.title), description: field(.description), image: field(.image)))
                    newLink.campaign = field(.campaign)?.asLabel
                    newLink.channel = (field(.source) ?? field(.medium))?.asLabel
                    newLink.adGroup = field(.medium)?.asLabel
                    newLink.creative = field(.content)?.asLabel
                    newLink.label = field(.term)?.asLabel
                    return newLink
                })
        }
    }
}

extension LinkImport.Row {
    /// - Parameter places: of the columns, by name.
    fileprivate init(_ row: CSVTable.Row, places columns: [String: CSVTable.Place], _ newLink: Result<NewLink, LinkRefusal>) {
        var places = columns
        // A new link has the link's address in two fields, and the preview in one.
        (places["domain"], places["suffix"]) = (columns["url"], columns["url"])
        places["preview"] = ["title", "description", "image"].compactMap { columns[$0] }.min()
        self.init(number: row.number, newLink: newLink, start: row.fields[0].place, places: places)
    }
}

extension NewLink {
    /// The link keeps its address.
    fileprivate mutating func take(place text: String) throws(LinkRefusal) {
        let link: LinkAddress
        do { link = try LinkAddress(text) } catch {
            throw LinkRefusal.invalid("'\(text.shortened)' is not the address of a link. \(error)").at("url")
        }
        guard let host = link.host, link.query == nil, link.fragment == nil else {
            throw LinkRefusal.invalid("'\(text.shortened)' is not a short link: https, a host and a path.").at("url")
        }
        (domain, suffix) = (host, link.path)
    }

    fileprivate mutating func take(preview: LinkPreview) {
        if preview != LinkPreview() { self.preview = preview }
    }
}

extension [CSVTable.Field] {
    /// Nil if the row is shorter, or the field is empty.
    fileprivate func value(_ index: Int) -> String? {
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

    /// Other systems allow longer labels.
    fileprivate var asLabel: String { cut(toBytes: Limits.label) }
}
