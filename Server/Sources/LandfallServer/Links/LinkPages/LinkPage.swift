// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
package import HTTPTypes
import Hummingbird
import LandfallRules
import NIOCore

/// The page of a link that does not redirect at once. It works without script; script only saves a tap.
package struct LinkPage: Hashable, Sendable {
    struct Button: Hashable, Sendable {
        let label: String
        let address: String
        /// Counts the tap and leads to the address; nil: the tap is not counted.
        var tap: String?
        /// Opens the app. With script the browser goes to the address itself, because some apps' browsers open no app after a redirect.
        var isApp = false
        /// Drawn as a badge: the store's name in the label is large.
        var isStore = false
        /// Hidden until the script has found a touch screen; then it becomes the first.
        var needsTouch = false
    }

    var status = HTTPResponse.Status.ok
    let texts: PageTexts
    package let title: String
    package var text: String?
    /// How the pages of the domain look.
    let brand: BrandPage
    /// Why a link is refused: a sentence in English.
    var reason: String?
    package var image: String?
    /// The first is the most likely choice.
    var buttons: [Button] = []
    /// The visitor has an iPad or a Mac: the script shows what only an iPad needs, and hides the QR code there.
    var asksForTouch = false
    /// The text that the app will look for on the pasteboard.
    var copied: String?
    /// The code that a person types into the app, in its readable form.
    var code: String?
    var qr: QRCode?
    /// The link itself: the address that previews show.
    var address: String?
    /// The page that a search engine shall show instead: where the link leads on the web.
    var canonical: String?
    /// Meta properties and their contents, for readers of the head.
    var meta: [String: String] = [:]

    /// - Parameter isWhole: false leaves the body out, as for `HEAD`.
    func response(isWhole: Bool = true) -> Response {
        let buffer = ByteBuffer(string: html)
        var headers = Self.securityHeaders
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = policy
        headers[.vary] = "Accept-Language"
        headers[.contentLength] = String(buffer.readableBytes)
        return Response(status: status, headers: headers, body: isWhole ? ResponseBody(byteBuffer: buffer) : ResponseBody())
    }

    /// Header fields of every answer of a brand domain.
    static let securityHeaders: HTTPFields = [
        .cacheControl: "no-store", .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .xFrameOptions: "DENY",
    ]

    /// The page's own styles and script, pictures of its own domain, and nothing else.
    private var policy: String {
        "default-src 'none'; style-src \(Self.styleHash) '\(Self.hash(of: tint))'; script-src \(Self.scriptHash); img-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    private static let styleHash = "'\(hash(of: style))'"
    private static let scriptHash = "'\(hash(of: script))'"

    private static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}

extension LinkPage {
    var html: String {
        var html = HTMLText()
        html.add("<!doctype html><html lang=\"", texts.locale.rawValue, "\" dir=\"", texts.direction, "\">")
        html.add("<head><meta charset=\"utf-8\"><title>", title, "</title>")
        html.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">")
        html.add("<meta name=\"robots\" content=\"noindex\">")
        if let canonical { html.add("<link rel=\"canonical\" href=\"", canonical, "\">") }
        for (name, content) in openGraph + meta.sorted(by: { $0.key < $1.key }) {
            html.add("<meta \(name.contains(":") ? "property" : "name")=\"", name, "\" content=\"", content, "\">")
        }
        html.add("<style>\(Self.style)</style><style>\(tint)</style></head><body><main>")
        if case .picture = brand.icon {
            html.add("<img class=\"icon\" src=\"\(BrandFiles.iconPath)\" alt=\"\" width=\"72\" height=\"72\">")
        } else {
            html.add("<div class=\"icon\" aria-hidden=\"true\">", brand.letters(of: texts.app), "</div>")
        }
        html.add("<h1 dir=\"auto\">", title, "</h1>")
        if let text { html.add("<p dir=\"auto\">", text, "</p>") }
        if let reason { html.add("<p lang=\"en\" dir=\"ltr\">", reason, "</p>") }
        if let code {
            html.add("<p>", texts[.typeCode], "</p><p class=\"code\" dir=\"ltr\">", code, "</p>")
        }
        for (index, button) in buttons.enumerated() {
            let isFirst = index == 0 || button.needsTouch
            let hidden = button.needsTouch ? Self.forTouch : ""
            html.add("<a class=\"\(isFirst ? "first" : "other")\(button.isStore ? " store" : "")\"\(hidden) rel=\"noreferrer\" href=\"", button.tap ?? button.address)
            if button.isApp, button.tap != nil { html.add("\" data-app=\"", button.address) }
            if let copied { html.add("\" data-copy=\"", copied) }
            html.add("\">")
            button.add(to: &html)
            html.add("</a>")
        }
        if let copied {
            let hidden = asksForTouch ? Self.forTouch : ""
            html.add("<p id=\"hint\"\(hidden)>", texts[.copyHint], "</p>")
            html.add(
                "<input id=\"copy\" dir=\"ltr\"\(hidden) readonly aria-label=\"", texts[.copyLabel], "\" value=\"", copied, "\">")
        }
        if let qr {
            html.add("<p\(asksForTouch ? " data-still" : "")>", texts[.scan], "</p>")
            html.add("<div class=\"qr\"\(asksForTouch ? " data-still" : "")>\(qr.svg)</div>")
        }
        html.add("</main>")
        if copied != nil || asksForTouch || buttons.contains(where: { $0.isApp && $0.tap != nil }) { html.add("<script>\(Self.script)</script>") }
        html.add("</body></html>")
        return html.text
    }

    /// Shown once the script has found a touch screen.
    private static let forTouch = " hidden data-touch"

    private var openGraph: [(String, String)] {
        [
            ("og:type", "website"), ("og:title", title), ("og:description", text), ("og:image", image), ("og:url", address),
            ("twitter:card", image == nil ? "summary" : "summary_large_image"),
        ].compactMap { name, content in content.map { (name, $0) } }
    }

    private var tint: String { ":root{--tint:\(brand.colour);--ink:\(brand.ink)}" }

    private static let style = """
        :root{color-scheme:light dark;--page:#f2f2f7;--card:#fff}\
        @media(prefers-color-scheme:dark){:root{--page:#000;--card:#1c1c1e}}*{box-sizing:border-box}\
        body{font:17px/1.5 -apple-system,system-ui,sans-serif;margin:0;display:grid;min-height:100vh;min-height:100svh;\
        place-items:center;text-align:center;background:var(--card);padding:env(safe-area-inset-top) env(safe-area-inset-right) \
        env(safe-area-inset-bottom) env(safe-area-inset-left)}main{padding:24px;width:100%;max-width:26em;overflow-wrap:anywhere}\
        @media(min-width:32em){body{background:var(--page)}main{background:var(--card);border-radius:24px;margin:24px;padding:40px}}\
        .icon{width:72px;height:72px;border-radius:16px;margin:0 auto 16px;display:grid;place-items:center;object-fit:cover;\
        background:var(--tint);color:var(--ink);font-size:36px;font-weight:600;line-height:1}img.icon{background:none}\
        h1{font-size:1.5em;line-height:1.2;margin:0 0 12px}p{margin:12px 0}\
        a{display:block;margin:12px 0;padding:14px;border-radius:12px;border:1px solid transparent;text-decoration:none;\
        font-weight:600}.first{background:var(--tint);color:var(--ink)}.other,.first:not([hidden])~.first{background:none;\
        border-color:#8888;color:inherit}main .store,main .first:not([hidden])~.store{background:#000;color:#fff;\
        border-color:#a6a6a6;padding:8px 14px}.store small,.store b{display:block}.store small{font-size:.7em;font-weight:400;\
        line-height:1.3}.store b{font-size:1.3em;line-height:1.2;font-weight:600}[hidden]{display:none!important}\
        .code{font:700 1.6em ui-monospace,monospace;letter-spacing:.05em}.qr{width:min(220px,100%);margin:auto}\
        .qr svg{display:block;border-radius:8px}input{width:100%;padding:10px;font:inherit;text-align:center}
        """

    /// A tap on the app's button is told to the server, and the browser opens the app by itself. On an iPad or a Mac: with a touch
    /// screen it shows what waits for one, else it does nothing more. A tap first copies; then the browser follows the address as usual.
    private static let script = """
        (function(){function all(which,then){Array.prototype.forEach.call(document.querySelectorAll(which),then)}\
        all('a[data-app]',function(a){a.addEventListener('click',function(){if(!window.fetch)return;\
        var tap=a.href;a.href=a.getAttribute('data-app');if(tap!==a.href)fetch(tap,{redirect:'manual',keepalive:true}).catch(function(){})})});\
        if(document.querySelector('[data-touch]')){if(!(navigator.maxTouchPoints>1))return;\
        all('[data-touch]',function(e){e.hidden=false;\
        if(e.href)e.parentNode.insertBefore(e,document.querySelector('a'))});\
        all('[data-still]',function(e){e.hidden=true})}\
        var field=document.getElementById('copy');if(!field)return;\
        function select(text){field.value=text;field.select();document.execCommand('copy')}\
        all('a[data-copy]',function(a){\
        a.addEventListener('click',function(){var text=a.getAttribute('data-copy');\
        try{if(navigator.clipboard&&window.isSecureContext){\
        navigator.clipboard.writeText(text).catch(function(){select(text)})}else{select(text)}}catch(e){}})})})();
        """
}

extension LinkPage.Button {
    /// The label. A store's badge has the store's name in a line of its own, as large as on the stores' own badges.
    fileprivate func add(to html: inout HTMLText) {
        guard isStore, let name = ["App Store", "Google Play"].first(where: { label.contains($0) }), let range = label.firstRange(of: name)
        else { return html.add("", label) }
        let (before, after) = (String(label[..<range.lowerBound]), String(label[range.upperBound...]))
        if !before.isEmpty { html.add("<small>", before, "</small>") }
        html.add("<b>", name, "</b>")
        if !after.isEmpty { html.add("<small>", after, "</small>") }
    }
}

/// HTML in which markup is literal and every value is escaped.
struct HTMLText {
    private(set) var text = ""

    /// Markup and values alternate; every second part is a value.
    mutating func add(_ parts: String...) {
        for (index, part) in parts.enumerated() { text += index.isMultiple(of: 2) ? part : part.escapedForHTML }
    }
}

extension HTTPField.Name {
    package static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    package static let xFrameOptions = HTTPField.Name("X-Frame-Options")!
    package static let xRobotsTag = HTTPField.Name("X-Robots-Tag")!
}
