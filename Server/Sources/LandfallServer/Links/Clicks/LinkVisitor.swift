// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import Synchronization

/// The visitor who requests a link, as far as the request tells.
package struct LinkVisitor: Hashable, Sendable {
    package var kind: ClickKind
    package var platform: BrowserPlatform
    /// A browser inside another app: universal links and store redirects are unreliable there.
    package var isInApp: Bool
    /// A Mac, which has its own App Store, or an iPad that calls itself one.
    package var isMac: Bool

    package init(kind: ClickKind, platform: BrowserPlatform, isInApp: Bool, isMac: Bool) {
        (self.kind, self.platform, self.isInApp, self.isMac) = (kind, platform, isInApp, isMac)
    }
}

/// The kind of a stored click. Only persons are counted as visitors.
package enum ClickKind: String, CaseIterable, Sendable {
    case person
    /// Search engines, monitors, scripts.
    case bot
    /// A `HEAD` request.
    case head
    /// Requests of messengers and feeds that show a link, of browsers before a person clicked, and of pages for an image.
    case preview
}

extension LinkVisitor {
    /// The same visitor, adjusted for the kind of request.
    /// - Parameters:
    ///   - isImage: the request of a page that has the link in the place of an image.
    ///   - purpose: of a request that a browser makes by itself, such as `prefetch`.
    func asking(isHead: Bool, isImage: Bool = false, purpose: String?) -> LinkVisitor {
        var visitor = self
        if isHead {
            visitor.kind = .head
        } else if isImage || Self.isAhead(purpose) {
            visitor.kind = .preview
        }
        return visitor
    }

    /// The visitor after a real click.
    package init(_ userAgent: String?) { self.init(agent: Self.agent(userAgent)) }

    fileprivate static func agent(_ text: String?) -> [UInt8] {
        (text ?? "").utf8.prefix(1024).map { (65...90).contains($0) ? $0 | 32 : $0 }
    }

    /// - Parameter agent: in lower case.
    fileprivate init(agent: [UInt8]) {
        // Windows Phone identified itself as an iPhone and an Android.
        let isPhone = !Self.windowsPhone.occur(in: agent)
        let isMacintosh = Self.mac.occur(in: agent)
        if isPhone, Self.ios.occur(in: agent) || isMacintosh && Self.onlyOnIOS.occur(in: agent) {
            platform = .ios
        } else if isPhone, Self.android.occur(in: agent) {
            platform = .android
        } else if isMacintosh, Self.webKit.occur(in: agent), !Self.chromium.occur(in: agent) {
            platform = .ipadOrMac
        } else {
            platform = .desktop
        }
        isMac = isMacintosh && (platform == .desktop || platform == .ipadOrMac)
        isInApp =
            (platform == .ios || platform == .android)
            && (Self.inAppBrowsers.occur(in: agent)
                || platform == .ios && Self.webKit.occur(in: agent) && !Self.safari.occur(in: agent))
        if Self.previewers.occur(in: agent) {
            kind = .preview
        } else if AgentMachines.include(agent) {
            kind = .bot
        } else {
            kind = .person
        }
    }

    /// True if a browser requests the link before a person clicked.
    package static func isAhead(_ purpose: String?) -> Bool {
        guard let purpose = purpose?.lowercased() else { return false }
        return purpose.contains("prefetch") || purpose.contains("prerender") || purpose.contains("preview")
    }

    private static let windowsPhone = AgentWords(["windows phone"])
    private static let ios = AgentWords(["iphone", "ipad", "ipod"])
    private static let android = AgentWords(["android"])
    private static let mac = AgentWords(["macintosh"])
    /// Chrome, Firefox, Edge, Opera and Google's app on iOS, and what no browser of a Mac says: these say it on an iPad too, beside
    /// Macintosh.
    private static let onlyOnIOS = AgentWords(["crios/", "fxios/", "edgios/", "opios/", " gsa/", " mobile/"])
    /// Chrome, and what is built on it. An iPad has none of them.
    private static let chromium = AgentWords(["chrome/", "chromium/"])
    private static let webKit = AgentWords(["applewebkit"])
    private static let safari = AgentWords(["safari/"])
    /// Facebook, Instagram, Messenger, LINE, WeChat, X, TikTok, Snapchat, LinkedIn, Pinterest, KakaoTalk, Naver, Google,
    /// Weibo, QQ, Zalo, and Android's WebView in general.
    private static let inAppBrowsers = AgentWords([
        "fban/", "fbav/", "fb_iab", "fbios", "instagram", "messengerforios", " line/", "micromessenger", "twitter for",
        "bytedance", "musical_ly", "tiktok", "snapchat", "linkedinapp", "pinterest/", "kakaotalk", "naver(inapp", " gsa/",
        "weibo", " qq/", "zalo", "; wv)", "barcelona ", "reddit/",
    ])
    private static let previewers = AgentWords([
        "facebookexternalhit", "facebot", "twitterbot", "slackbot", "slack-imgproxy", "whatsapp/", "telegrambot", "discordbot",
        "linkedinbot", "pinterestbot", "skypeuripreview", "redditbot", "vkshare", "kakaotalk-scrap", "linespider",
        "iframely", "embedly", "bitlybot", "snap url preview", "mastodon/", "cardyb", "google-pagerenderer",
        "bingpreview", "yahoo link preview", "google web preview",
    ])
}

/// What a user agent tells.
struct AgentFacts: Hashable, Sendable {
    let visitor: LinkVisitor
    /// See ``BrowserName``; nil of a machine.
    let browser: String?

    init(_ userAgent: String?) {
        let agent = LinkVisitor.agent(userAgent)
        visitor = LinkVisitor(agent: agent)
        browser = visitor.kind == .person ? BrowserName.name(agent, isInApp: visitor.isInApp) : nil
    }
}

/// A cache from recent user agents to what they tell: there are few user agents, and each must be searched for a hundred words.
final class KnownAgents: Sendable {
    /// Bounds the memory: a longer user agent is not cached.
    private static let longest = 512
    private let known = Mutex(RecentValues<String, AgentFacts>(most: 1_024))

    func facts(_ userAgent: String?) -> AgentFacts {
        guard let userAgent, userAgent.utf8.count <= Self.longest else { return AgentFacts(userAgent) }
        if let facts = known.withLock({ $0[userAgent] }) { return facts }
        let facts = AgentFacts(userAgent)
        known.withLock { $0[userAgent] = facts }
        return facts
    }
}
