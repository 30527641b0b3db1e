// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// A column of a table of links.
enum LinkColumn: String, CaseIterable, Hashable, Sendable {
    case url, to, campaign, adGroup, creative, label, channel, expiresAtMilliseconds, ios, android, desktop, title, description, image
    case pasteboard, code, tags, folder, startsAtMilliseconds, ppid, pt, ct

    /// Other names that tables of other systems have, in lower case, without spaces and signs.
    private var synonyms: [String] {
        switch self {
        case .url: ["link", "shortlink", "shorturl", "shortlinkurl", "linkurl", "short"]
        case .to: ["destination", "destinationurl", "target", "targeturl", "deeplink", "deeplinkurl", "longurl", "originalurl", "destinationlink"]
        case .campaign: ["utmcampaign", "campaignname", "campaigns"]
        case .adGroup: ["adgroupname", "adset", "adsetname", "utmmedium", "medium"]
        case .creative: ["creativename", "ad", "adname", "utmcontent", "content"]
        case .label: ["utmterm", "term", "keyword"]
        case .channel: ["utmsource", "source"]
        case .expiresAtMilliseconds: ["expires", "expiresat", "expiresmilliseconds", "expiry", "expirydate", "expiration", "expirationdate", "enddate", "validuntil"]
        case .ios: ["iosurl", "ioslink", "iosfallback", "iosfallbackurl", "iphone", "iphoneurl"]
        case .android: ["androidurl", "androidlink", "androidfallback", "androidfallbackurl"]
        case .desktop: ["desktopurl", "desktoplink", "desktopfallback", "desktopfallbackurl", "weburl", "web"]
        case .title: ["socialtitle", "ogtitle", "previewtitle"]
        case .description: ["socialdescription", "ogdescription", "previewdescription", "previewtext"]
        case .image: ["imageurl", "socialimage", "socialimageurl", "socialimagelink", "ogimage", "ogimageurl", "previewimage"]
        case .pasteboard: ["clipboard"]
        case .tags: ["tag"]
        case .folder: ["foldername"]
        case .startsAtMilliseconds: ["starts", "startsat", "startsmilliseconds", "start", "startdate", "validfrom"]
        case .ppid: ["productpage", "productpageid"]
        case .pt: ["providertoken"]
        case .ct: ["campaigntoken"]
        case .code: []
        }
    }

    private static let names: [String: LinkColumn] = Dictionary(
        allCases.flatMap { column in ([column.rawValue.lowercased()] + column.synonyms).map { ($0, column) } }
    ) { first, _ in first }

    /// The column of a name in the first row; nil if there is none.
    init?(header: String) {
        let letters = header.lowercased().unicodeScalars.filter { !" _-.".unicodeScalars.contains($0) }
        guard header.utf8.count <= 60, let column = Self.names[String(String.UnicodeScalarView(letters))] else { return nil }
        self = column
    }

    /// A flag as programs of several languages write it.
    /// - Throws: ``LinkRefusal`` for another word.
    static func flag(_ text: String, _ column: LinkColumn) throws(LinkRefusal) -> Bool {
        let word = text.lowercased()
        if ["true", "yes", "y", "1", "on", "wahr", "ja", "vrai", "oui", "verdadero", "si", "sí", "vero", "sì"].contains(word) { return true }
        if ["false", "no", "n", "0", "off", "falsch", "nein", "faux", "non", "falso"].contains(word) { return false }
        throw LinkRefusal.invalid("'\(column.rawValue)' cannot be '\(text.shortened)'. Write true or false.").at(column.rawValue)
    }
}
