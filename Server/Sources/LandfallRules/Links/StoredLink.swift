// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A link that a person or program made: its address, its destination, its labels.
package struct StoredLink: Hashable, Sendable {
    /// One of the brand domains.
    package var host: String
    package var path: LinkPath
    /// Where it leads in the app: a web address or one of the app's scheme, as its maker wrote it.
    package var destination: String
    /// These win over the labels in the followed link.
    package var labels = LinkLabels()
    /// From this instant on the link leads nowhere; nil never expires.
    package var expiresAtMs: Int64?
    /// Where browsers go; nil is the usual way of the platform.
    package var ways = PlatformWays()
    package var preview = LinkPreview()
    /// How the app can find the click that brought the person to the store.
    package var handover = LinkHandover()
    /// Before this instant the link leads nowhere; nil has no beginning.
    package var startsAtMs: Int64?
    /// The first that matches a visitor replaces the destination.
    package var routes: [LinkRoute] = []
    package var storePage = StorePage()
    /// By which people find links; a tap does not read them. Each once.
    package var tags: [String] = []
    package var folder: String?

    package init(
        host: String, path: LinkPath, destination: String, labels: LinkLabels = LinkLabels(), expiresAtMs: Int64? = nil,
        ways: PlatformWays = PlatformWays(), preview: LinkPreview = LinkPreview(), handover: LinkHandover = LinkHandover()
    ) {
        self.host = host
        self.path = path
        self.destination = destination
        self.labels = labels
        self.expiresAtMs = expiresAtMs
        self.ways = ways
        self.preview = preview
        self.handover = handover
    }

    package func isExpired(nowMs: Int64) -> Bool { expiresAtMs.map { $0 <= nowMs } ?? false }

    /// True before its start.
    package func isEarly(nowMs: Int64) -> Bool { startsAtMs.map { nowMs < $0 } ?? false }
}

/// The preview of a shared link in messages and feeds, and how its page looks.
package struct LinkPreview: Hashable, Sendable, Codable {
    package var title: String?
    package var description: String?
    /// An https address.
    package var image: String?
    /// Of the page, instead of the domain's: one or two characters, such as an emoji.
    package var icon: String?
    /// Of the page, instead of the domain's: as in ``BrandPage/colour``.
    package var colour: String?
    /// By canonical locale; what a locale leaves out is as above. Nil if there are none.
    package var locales: [String: Words]?

    package init(
        title: String? = nil, description: String? = nil, image: String? = nil, icon: String? = nil, colour: String? = nil,
        locales: [String: Words]? = nil
    ) {
        (self.title, self.description, self.image) = (title, description, image)
        (self.icon, self.colour, self.locales) = (icon, colour, locales)
    }

    /// A table has columns for the other fields only.
    package var fitsTable: Bool { icon == nil && colour == nil && locales == nil }

    /// A link's own locales are bounded, because every visit reads them.
    package static let mostLocales = 20

    /// The preview in one language.
    package struct Words: Hashable, Sendable, Codable {
        package var title: String?
        package var description: String?
        package var image: String?

        package init(title: String? = nil, description: String? = nil, image: String? = nil) {
            (self.title, self.description, self.image) = (title, description, image)
        }

        package func completed(with other: Words) -> Words {
            Words(title: title ?? other.title, description: description ?? other.description, image: image ?? other.image)
        }
    }

    package func words(for wanted: LocaleCode) -> Words {
        let usual = Words(title: title, description: description, image: image)
        guard let locales, let own = wanted.first(where: { locales[$0.rawValue] }) else { return usual }
        return own.completed(with: usual)
    }
}

/// What a link's page gives to the visitor for the app's first open.
package struct LinkHandover: Hashable, Sendable, Codable {
    /// The page's button writes the link, with a token, to the pasteboard.
    package var pasteboard = false
    /// The page shows a code to type.
    package var code = false

    package init(pasteboard: Bool = false, code: Bool = false) {
        (self.pasteboard, self.code) = (pasteboard, code)
    }
}

/// The platforms that browsers run on, as far as they say it.
package enum BrowserPlatform: String, CaseIterable, Sendable, Codable {
    case ios, android, desktop
    /// Safari, and browsers that are built on it. On an iPad they call themselves a Macintosh, unless the person has chosen otherwise.
    /// Only a script on the page can distinguish the two, by the touch screen.
    case ipadOrMac = "ipad or mac"
}

/// One way on from a link in a browser.
package enum LinkWay: Hashable, Sendable {
    /// A page whose first button opens the app. It never navigates by itself.
    case app
    /// The platform's store.
    case store
    /// A page with all ways, whether there is an app or not.
    case page
    /// The link's place on the team's web site.
    case site
    /// A web address.
    case web(String)

    /// The form in `landfall.yaml` and in rows: `app`, `store`, `page`, `web` or the address.
    package init(_ text: String) {
        switch text {
        case "app": self = .app
        case "store": self = .store
        case "page": self = .page
        case "web": self = .site
        default: self = .web(text)
        }
    }

    package var text: String {
        switch self {
        case .app: "app"
        case .store: "store"
        case .page: "page"
        case .site: "web"
        case .web(let address): address
        }
    }
}

/// The ways for each platform, in order: the first possible one is taken, the page offers the others.
package struct PlatformWays: Hashable, Sendable {
    package var ios: [LinkWay] = []
    package var android: [LinkWay] = []
    package var desktop: [LinkWay] = []

    package init(ios: [LinkWay] = [], android: [LinkWay] = [], desktop: [LinkWay] = []) {
        (self.ios, self.android, self.desktop) = (ios, android, desktop)
    }

    package subscript(platform: BrowserPlatform) -> [LinkWay] {
        switch platform {
        case .ios: ios
        case .android: android
        case .desktop, .ipadOrMac: desktop
        }
    }
}

extension StoredLink {
    package var place: LinkPlace { LinkPlace(host: host, path: path) }

    /// The form that people share.
    package var address: String { place.url }
}
