// SPDX-License-Identifier: Apache-2.0

/// The browser or app that shows the web, as reports name it. Everything that is not listed is one name or none, so that the name
/// says little about a single person.
enum BrowserName {
    /// A browser inside an app that is not listed.
    static let unlistedApp = "WebView"

    /// - Parameters:
    ///   - agent: in lower case.
    ///   - isInApp: see ``LinkVisitor/isInApp``.
    static func name(_ agent: [UInt8], isInApp: Bool) -> String? {
        if let app = apps.first(where: { $0.words.occur(in: agent) }) { return app.name }
        if isInApp { return unlistedApp }
        return browsers.first { $0.words.occur(in: agent) }?.name
    }

    private struct Entry: Sendable {
        let name: String
        let words: AgentWords

        init(_ name: String, _ words: [String]) { (self.name, self.words) = (name, AgentWords(words)) }
    }

    /// Messenger says what Facebook says, and WeChat what QQ says.
    private static let apps = [
        Entry("Messenger", ["messengerforios", "orca-android"]), Entry("Threads", ["barcelona "]), Entry("Instagram", ["instagram"]),
        Entry("Facebook", ["fban/", "fbav/", "fb_iab", "fbios"]), Entry("TikTok", ["bytedance", "musical_ly", "tiktok"]),
        Entry("Snapchat", ["snapchat"]), Entry("X", ["twitter for"]), Entry("LinkedIn", ["linkedinapp"]), Entry("Pinterest", ["pinterest/"]),
        Entry("Reddit", ["reddit/"]), Entry("WeChat", ["micromessenger"]), Entry("KakaoTalk", ["kakaotalk"]), Entry("LINE", [" line/"]),
        Entry("Naver", ["naver(inapp"]), Entry("Weibo", ["weibo"]), Entry("QQ", [" qq/"]), Entry("Zalo", ["zalo"]), Entry("Google", [" gsa/"]),
    ]

    /// Nearly all say that they are Safari too, and many that they are Chrome.
    private static let browsers = [
        Entry("Edge", ["edg/", "edga/", "edgios/"]), Entry("Opera", ["opr/", "opios/", "opt/", "opera"]), Entry("Samsung Internet", ["samsungbrowser/"]),
        Entry("DuckDuckGo", ["duckduckgo/", " ddg/"]), Entry("Vivaldi", ["vivaldi/"]), Entry("Yandex", ["yabrowser/"]), Entry("UC Browser", ["ucbrowser/"]),
        Entry("Firefox", ["firefox/", "fxios/"]), Entry("Chrome", ["chrome/", "crios/", "chromium/"]), Entry("Safari", ["safari/"]),
    ]
}
