// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A link that a person or program made: its address, its destination, its labels.
struct StoredLink: Hashable, Sendable {
    /// One of the brand domains.
    var host: String
    var path: LinkPath
    /// Where it leads in the app: a web address or one of the app's scheme, as its maker wrote it.
    var destination: String
    /// These win over the labels in the followed link.
    var labels = LinkLabels()
    /// From this instant on the link leads nowhere; nil never expires.
    var expiresAtMs: Int64?
    /// Where browsers go; nil is the usual way of the platform.
    var ways = PlatformWays()
    var preview = LinkPreview()
    /// How the app can find the click that brought the person to the store.
    var handover = LinkHandover()

    func isExpired(nowMs: Int64) -> Bool { expiresAtMs.map { $0 <= nowMs } ?? false }
}

/// The preview of a shared link in messages and feeds.
struct LinkPreview: Hashable, Sendable, Codable {
    var title: String?
    var description: String?
    /// An https address.
    var image: String?
    /// By canonical locale; what a locale leaves out is as above. Nil where there are none.
    var locales: [String: Words]?

    /// A link's own locales are bounded, because every visit reads them.
    static let mostLocales = 20

    /// The preview in one language.
    struct Words: Hashable, Sendable, Codable {
        var title: String?
        var description: String?
        var image: String?

        func completed(with other: Words) -> Words {
            Words(title: title ?? other.title, description: description ?? other.description, image: image ?? other.image)
        }
    }

    func words(for wanted: LocaleCode) -> Words {
        let usual = Words(title: title, description: description, image: image)
        guard let locales, let own = wanted.first(where: { locales[$0.rawValue] }) else { return usual }
        return own.completed(with: usual)
    }
}

/// What a link's page gives to the visitor for the app's first open.
struct LinkHandover: Hashable, Sendable, Codable {
    /// The page's button writes the link, with a token, to the pasteboard.
    var pasteboard = false
    /// The page shows a code to type.
    var code = false
}

/// The platforms that browsers run on, as far as they say it.
enum BrowserPlatform: String, CaseIterable, Sendable {
    case ios, android, desktop
    /// Safari, and browsers that are built on it: on an iPad they call themselves a Macintosh, unless a person chose otherwise. Only
    /// a script on the page can tell them apart, by the touch screen.
    case ipadOrMac = "ipad or mac"
}

/// One way on from a link in a browser.
enum LinkWay: Hashable, Sendable {
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
    init(_ text: String) {
        switch text {
        case "app": self = .app
        case "store": self = .store
        case "page": self = .page
        case "web": self = .site
        default: self = .web(text)
        }
    }

    var text: String {
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
struct PlatformWays: Hashable, Sendable {
    var ios: [LinkWay] = []
    var android: [LinkWay] = []
    var desktop: [LinkWay] = []

    subscript(platform: BrowserPlatform) -> [LinkWay] {
        switch platform {
        case .ios: ios
        case .android: android
        case .desktop, .ipadOrMac: desktop
        }
    }
}
