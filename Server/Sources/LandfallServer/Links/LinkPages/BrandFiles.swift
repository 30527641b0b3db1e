// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
import NIOCore

/// What browsers and search engines request of every host: no link can have these paths.
struct BrandFiles {
    static let iconPath = "/apple-touch-icon.png"

    let app: App
    let domain: BrandDomain

    /// - Returns: nil for every other path.
    func response(to path: Substring, isWhole: Bool) -> Response? {
        let (type, bytes): (String, [UInt8])
        switch path {
        // Messengers may read every link; the pages say that they are not to be listed.
        case "/robots.txt": (type, bytes) = ("text/plain; charset=utf-8", Array("User-agent: *\nAllow: /\n".utf8))
        case "/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png": (type, bytes) = icon
        default: return nil
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "public, max-age=3600", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: "default-src 'none'; style-src 'none'", .contentLength: "\(bytes.count)",
            ],
            body: isWhole ? ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) : ResponseBody())
    }

    private var icon: (type: String, bytes: [UInt8]) {
        if case .picture(let type, let bytes) = domain.page.icon { return (type, bytes) }
        let letters = domain.page.letters(of: app.name).escapedForHTML
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="\(domain.page.colour)"/>\
            <text x="32" y="33" font-family="system-ui,sans-serif" font-size="\(letters.count > 1 ? 26 : 36)" font-weight="600" text-anchor="middle" \
            dominant-baseline="central" fill="\(domain.page.ink)">\(letters)</text></svg>
            """
        return ("image/svg+xml", Array(svg.utf8))
    }
}

extension BrandPage {
    /// What stands in the icon if there is no picture.
    func letters(of name: String) -> String {
        if case .letters(let letters) = icon { return letters }
        return name.first.map { $0.uppercased() } ?? "•"
    }
}
