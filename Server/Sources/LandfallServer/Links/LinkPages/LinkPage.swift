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
        /// Hidden until the script has found a touch screen; then it becomes the first.
        var needsTouch = false
    }

    var status = HTTPResponse.Status.ok
    let texts: PageTexts
    package let title: String
    package var text: String?
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
    /// Meta properties and their contents, for readers of the head.
    var meta: [String: String] = [:]

    /// - Parameter isWhole: false leaves the body out, as for `HEAD`.
    func response(isWhole: Bool = true) -> Response {
        let buffer = ByteBuffer(string: html)
        var headers = Self.securityHeaders
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = Self.policy
        headers[.vary] = "Accept-Language"
        headers[.contentLength] = String(buffer.readableBytes)
        return Response(status: status, headers: headers, body: isWhole ? ResponseBody(byteBuffer: buffer) : ResponseBody())
    }

    /// Header fields of every answer of a brand domain.
    static let securityHeaders: HTTPFields = [
        .cacheControl: "no-store", .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .xFrameOptions: "DENY",
    ]

    private static let policy =
        "default-src 'none'; style-src '\(hash(of: style))'; script-src '\(hash(of: script))'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}

extension LinkPage {
    var html: String {
        var html = HTMLText()
        html.add("<!doctype html><html lang=\"", texts.locale.rawValue, "\" dir=\"", texts.direction, "\">")
        html.add("<head><meta charset=\"utf-8\"><title>", title, "</title>")
        html.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        for (name, content) in openGraph + meta.sorted(by: { $0.key < $1.key }) {
            html.add("<meta \(name.contains(":") ? "property" : "name")=\"", name, "\" content=\"", content, "\">")
        }
        html.add("<style>\(Self.style)</style></head><body><main><h1 dir=\"auto\">", title, "</h1>")
        if let text { html.add("<p dir=\"auto\">", text, "</p>") }
        if let reason { html.add("<p lang=\"en\" dir=\"ltr\">", reason, "</p>") }
        if let code {
            html.add("<p>", texts[.typeCode], "</p><p class=\"code\" dir=\"ltr\">", code, "</p>")
        }
        for (index, button) in buttons.enumerated() {
            let isFirst = index == 0 || button.needsTouch
            let hidden = button.needsTouch ? Self.forTouch : ""
            html.add("<a class=\"\(isFirst ? "first" : "other")\"\(hidden) rel=\"noreferrer\" href=\"", button.address)
            if let copied { html.add("\" data-copy=\"", copied) }
            html.add("\">", button.label, "</a>")
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
        if copied != nil || asksForTouch { html.add("<script>\(Self.script)</script>") }
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

    private static let style = """
        :root{color-scheme:light dark}body{font:17px/1.5 -apple-system,system-ui,sans-serif;margin:0;display:grid;\
        min-height:100vh;place-items:center;text-align:center}main{padding:24px;max-width:26em;overflow-wrap:anywhere}\
        h1{font-size:1.5em;line-height:1.2}a{display:block;margin:12px 0;padding:14px;border-radius:12px;\
        text-decoration:none;font-weight:600}.first{background:#06f;color:#fff}.other,.first:not([hidden])~.first{\
        background:none;border:1px solid #8888;color:inherit}[hidden]{display:none!important}\
        .code{font:700 1.6em ui-monospace,monospace;letter-spacing:.05em}.qr{width:220px;margin:auto}\
        input{width:100%;box-sizing:border-box;padding:10px;font:inherit;text-align:center}
        """

    /// On an iPad or a Mac: with a touch screen it shows what waits for one, else it does nothing. A tap first copies; then the
    /// browser follows the address as usual.
    private static let script = """
        (function(){function all(which,then){Array.prototype.forEach.call(document.querySelectorAll(which),then)}\
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
