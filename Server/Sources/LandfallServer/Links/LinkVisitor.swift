// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// Who asks for a link, as far as the request says.
struct LinkVisitor: Hashable, Sendable {
    var kind: ClickKind
    var platform: BrowserPlatform
    /// A browser inside another app: universal links and store redirects are unreliable there.
    var isInApp: Bool
    /// A Mac, which has an App Store of its own kind.
    var isMac: Bool
}

/// What a stored click was. Only persons count.
enum ClickKind: String, CaseIterable, Sendable {
    case person
    /// Search engines, monitors, scripts.
    case bot
    /// A `HEAD` request.
    case head
    /// What messengers and feeds ask for to show a link, and what browsers ask for before anybody clicked.
    case preview
}

extension LinkVisitor {
    /// - Parameter purpose: of a request that a browser makes by itself, such as `prefetch`.
    init(userAgent: String?, method: HTTPRequest.Method = .get, purpose: String? = nil) {
        let agent = (userAgent ?? "").prefix(1024).lowercased()
        func says(_ words: [String]) -> Bool { words.contains { agent.contains($0) } }

        // Windows Phone called itself an iPhone and an Android.
        let isPhone = !agent.contains("windows phone")
        if isPhone, says(["iphone", "ipad", "ipod"]) {
            platform = .ios
        } else if isPhone, agent.contains("android") {
            platform = .android
        } else {
            platform = .desktop
        }
        isMac = platform == .desktop && agent.contains("macintosh")
        isInApp =
            platform != .desktop
            && (says(Self.inAppBrowsers)
                || platform == .ios && agent.contains("applewebkit") && !agent.contains("safari/"))
        if method == .head {
            kind = .head
        } else if says(Self.previewers) || Self.isAhead(purpose) {
            kind = .preview
        } else if agent.isEmpty || says(Self.machines) || Self.isBot(agent) {
            kind = .bot
        } else {
            kind = .person
        }
    }

    /// True where a browser asks before anybody clicked.
    static func isAhead(_ purpose: String?) -> Bool {
        guard let purpose = purpose?.lowercased() else { return false }
        return purpose.contains("prefetch") || purpose.contains("prerender") || purpose.contains("preview")
    }

    /// `bot` at the end of a word. A maker of phones is called Cubot.
    private static func isBot(_ agent: String) -> Bool {
        agent.replacing("cubot", with: "").split { !$0.isLetter }.contains { $0.hasSuffix("bot") }
    }

    /// Facebook, Instagram, Messenger, LINE, WeChat, X, TikTok, Snapchat, LinkedIn, Pinterest, KakaoTalk, Naver, Google,
    /// Weibo, QQ, Zalo, and Android's WebView in general.
    private static let inAppBrowsers = [
        "fban/", "fbav/", "fb_iab", "fbios", "instagram", "messengerforios", " line/", "micromessenger", "twitter for",
        "bytedance", "musical_ly", "tiktok", "snapchat", "linkedinapp", "pinterest/", "kakaotalk", "naver(inapp", " gsa/",
        "weibo", " qq/", "zalo", "; wv)", "barcelona ", "reddit/",
    ]
    private static let previewers = [
        "facebookexternalhit", "facebot", "twitterbot", "slackbot", "slack-imgproxy", "whatsapp/", "telegrambot", "discordbot",
        "linkedinbot", "pinterestbot", "skypeuripreview", "redditbot", "vkshare", "kakaotalk-scrap", "linespider",
        "iframely", "embedly", "bitlybot", "snap url preview", "viber", "mastodon/", "cardyb", "google-pagerenderer",
        "bingpreview", "yahoo link preview",
    ]
    private static let machines = [
        "crawl", "spider", "slurp", "curl/", "wget/", "python-", "python/", "aiohttp", "httpx/", "go-http-client", "okhttp/",
        "apache-httpclient", "java/", "libwww", "headlesschrome", "lighthouse", "pingdom", "uptime", "monitor", "axios/",
        "node-fetch", "undici", "postmanruntime", "mediapartners", "feedfetcher", "google-inspectiontool", "ruby", "perl",
        "guzzle", "phantomjs", "wkhtmlto", "safelinks", "proofpoint", "barracuda",
    ]
}
