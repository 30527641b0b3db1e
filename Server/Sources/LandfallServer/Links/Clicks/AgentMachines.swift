// SPDX-License-Identifier: Apache-2.0

/// Tells programs from browsers by their user agents. Most programs are recognised by how they describe themselves; a list of
/// names has the rest. `script/check crawlers` counts over public lists how many it gets wrong.
enum AgentMachines {
    /// - Parameter agent: in lower case. The time grows with its length only.
    static func include(_ agent: [UInt8]) -> Bool {
        isBot(agent) || givesAddress(agent) || isCompatible(agent) || !isBrowser(agent) || names.occur(in: agent)
    }

    /// `bot` or `spider` at the end of a word. A maker of phones is called Cubot, and some phones are a `M bot 54` or a `Spider 8`.
    private static func isBot(_ agent: [UInt8]) -> Bool {
        let model = android.stand(at: 0, of: agent) ? agent.firstIndex(of: UInt8(ascii: ")")) ?? 0 : 0
        return bots.occur(in: agent) { word in
            guard word.upperBound < agent.count else { return !cu.stand(at: word.lowerBound - 2, of: agent) }
            let next = agent[word.upperBound]
            if isLetter(next) || next >= 0x80 || cu.stand(at: word.lowerBound - 2, of: agent) { return false }
            return word.lowerBound >= model || !(isDigit(next) || " _)".utf8.contains(next))
        }
    }

    /// A page about the program, or the mail address of its owner. Browsers give none; Ecosia's version looks like a mail
    /// address (`android@130.0`), and carriers have names such as `Vodafone.de`.
    private static func givesAddress(_ agent: [UInt8]) -> Bool {
        addresses.occur(in: agent)
            || at.occur(in: agent) { sign in
                guard follows(agent, sign.lowerBound), sign.upperBound < agent.count, isLetter(agent[sign.upperBound]) else {
                    return false
                }
                let end = agent[sign.upperBound...].firstIndex { !isLetter($0) && !isDigit($0) && $0 != UInt8(ascii: "-") }
                return end.map { agent[$0] == UInt8(ascii: ".") } ?? false
            }
            || domains.occur(in: agent) { domain in
                guard follows(agent, domain.lowerBound) else { return false }
                guard domain.upperBound < agent.count else { return true }
                let next = agent[domain.upperBound]
                return !isLetter(next) && !isDigit(next) && !"._-".utf8.contains(next)
            }
    }

    /// `(compatible; NAME`, with a name that is not an old browser's.
    private static func isCompatible(_ agent: [UInt8]) -> Bool {
        compatible.occur(in: agent) { word in
            let name = agent[word.upperBound...].firstIndex { $0 != UInt8(ascii: " ") }
            return !(name.map { oldBrowsers.stand(at: $0, of: agent) } ?? false)
        }
    }

    /// It begins as browsers do, or names an engine. What begins with `Mozilla/5.0` names a system or an engine too.
    private static func isBrowser(_ agent: [UInt8]) -> Bool {
        guard beginnings.stand(at: 0, of: agent) || engines.occur(in: agent) else { return false }
        return !mozilla5.stand(at: 0, of: agent) || systems.occur(in: agent)
    }

    /// A letter or digit stands before this place.
    private static func follows(_ agent: [UInt8], _ place: Int) -> Bool {
        place > 0 && (isLetter(agent[place - 1]) || isDigit(agent[place - 1]))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static let bots = AgentWords(["bot", "bots", "spider", "spiders"])
    private static let cu = AgentWords(["cu"])
    private static let android = AgentWords(["mozilla/5.0 (linux; "])
    private static let addresses = AgentWords(["://", "www.", "(at)"])
    private static let at = AgentWords(["@"])
    private static let domains = AgentWords([".com", ".io", ".ai", ".org", ".net"])
    private static let compatible = AgentWords(["compatible;"])
    private static let oldBrowsers = AgentWords(["msie", "konqueror", "opera", "linux", "u;", "windows", "gecko"])
    private static let beginnings = AgentWords([
        "mozilla/", "opera", "dalvik", "safari", "iphone", "ipad", "ipod", "hbbtv", "docomo", "lynx/", "elinks/", "links (",
    ])
    private static let engines = AgentWords([
        "mozilla/", "webkit", "browser", "midp", "opera", "opr/", "obigo", "teleca", "smarttv", "android", "ucweb", "galaxyclient",
    ])
    private static let mozilla5 = AgentWords(["mozilla/5.0"])
    private static let systems = AgentWords([
        "gecko", "webkit", "opera", "msie", "trident", "android", "linux", "windows", "mac os", "nintendo", "playstation", "brew",
        "palmos", "firefox",
    ])
    /// Programs that describe themselves as browsers. docs/operating/crawlers.md says how the list is refreshed.
    private static let names = AgentWords([
        "-google", "360jk", "; rigor)", "acunetix", "appinsights", "assetnote", "baidu transcoder", "barracuda", "browsershots",
        "catchpoint", "cloudflare", "collapsify", "convertify", "cookiehub", "crawl", "cybaaagent", "dareboost", "datanyze",
        "daum 4", "daumoa", "dlc/", "dmbrowser", "feeder.co", "foregenix", "functionize", "geckotrail", "geedo",
        "ghost inspector", "google favicon", "google-", "googleimageproxy", "gtmetrix", "hardenize", "headlesschrome", "hotjar",
        "iplabel", "ips-agent", "lighthouse", "like gecko; google", "linktiger", "manus-user", "marketgoo", "mediapartners", "mixnode", "monitor",
        "netshelter", "networkmeasurement", "newsai/", "newsblur", "newsnow/", "nikto/", "nitro-", "nutch", "okhttp",
        "page-preview", "phantomjs", "pingdom", "playwright", "proofpoint", "prospecting", "proxychecker", "ps_daily", "ptst/",
        "pwabuilder", "readable/", "safelinks", "scanner", "securityheaders", "selenium", "silktide", "sindup", "slurp",
        "sparkler", "speed insights", "splash version", "statuscake", "synthetic", "taginspector", "testlocally",
        "thousandeyes", "tsm-turingos", "uptime", "watchtowr", "webmoney", "whatcms", "wkhtmlto", "xmco.fr", "ylt chrome",
    ])
}
