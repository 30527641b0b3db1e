// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The export of Firebase Dynamic Links: one file for each domain, with columns in these positions (firebase.google.com, "Export
/// Dynamic Links metadata").
private enum FirebaseColumn: Int {
    case shortLink = 0, deepLink = 1, androidFallback = 3, iosFallback = 6, ipadFallback = 8, desktopFallback = 13
    case title = 14, description = 15, image = 16
    case source = 17, medium = 18, campaign = 19, term = 20, content = 21
    case affiliate = 22, campaignToken = 23, providerToken = 25
    case isArchived = 26, name = 27

    static let places: [(field: String, column: FirebaseColumn)] = [
        ("url", .shortLink), ("to", .deepLink), ("android", .androidFallback), ("ios", .iosFallback),
        ("desktop", .desktopFallback), ("title", .title), ("description", .description), ("image", .image),
    ]
}

extension LinkImport {
    mutating func takeFirebase(_ table: [CSVTable.Row]) {
        // The first row is a header, unless it contains a link.
        let hasHeader = table.first?.fields.value(FirebaseColumn.shortLink.rawValue)?.hasPrefix("http") != true
        for row in table.dropFirst(hasHeader ? 1 : 0) {
            func field(_ column: FirebaseColumn) -> String? { row.fields.value(column.rawValue) }
            guard let shortLink = field(.shortLink) else { continue }
            let line = row.fields[0].place.line
            if field(.isArchived).flatMap({ try? LinkColumn.flag($0, .code) }) == true {
                remark("Line \(line): '\(shortLink.shortened)' is archived, and is not imported.")
                continue
            }
            if let ipad = field(.ipadFallback), ipad != field(.iosFallback) {
                remark("Line \(line): the iPad fallback '\(ipad.shortened)' is not imported: a link has no way of its own for iPads.")
            }
            if let affiliate = field(.affiliate) {
                remark("Line \(line): the affiliate token '\(affiliate.shortened)' (at) is not imported.")
            }
            let campaign = field(.campaignToken), provider = field(.providerToken)
            let isProvider = provider.map { (try? LinkRules.pt($0)) != nil } ?? true
            if !isProvider { remark("Line \(line): the provider token '\(provider?.shortened ?? "")' (pt) is not a number, and is not imported.") }
            var places: [String: CSVTable.Place] = [:]
            for (field, column) in FirebaseColumn.places where row.fields.indices.contains(column.rawValue) {
                places[field] = row.fields[column.rawValue].place
            }
            rows.append(
                Row(
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
                        newLink.label = (field(.term) ?? field(.name))?.asLabel
                        (newLink.ct, newLink.pt) = (campaign.flatMap { StorePage.campaign($0) }, isProvider ? provider : nil)
                        return newLink
                    }))
        }
    }
}

extension String {
    /// Other systems allow longer labels.
    fileprivate var asLabel: String { cut(toBytes: Limits.label) }
}
