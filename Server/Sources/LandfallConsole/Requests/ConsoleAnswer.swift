// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallServer
import LandfallWire
import NIOCore

/// The answers of the console: pages, and ways to other pages.
enum ConsoleAnswer {
    /// Scripts, styles and forms of this origin only; nothing inline; in nobody's frame.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

    /// With `no-referrer`, as link pages have it, browsers would send forms with `Origin: null`.
    static let fields: HTTPFields = [
        .cacheControl: "no-store", .contentSecurityPolicy: policy, .referrerPolicy: "same-origin", .xFrameOptions: "DENY",
        .crossOriginOpenerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin", .xRobotsTag: "noindex",
    ]

    static func page(_ html: HTML, _ status: HTTPResponse.Status = .ok, cookie: String? = nil) -> Response {
        var headers = fields
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.vary] = "Accept-Language, Cookie"
        if let cookie { headers[.setCookie] = cookie }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html.markup)))
    }

    /// After a form: the browser asks for the page with GET.
    static func see(_ place: Place, cookie: String? = nil) -> Response {
        var headers = fields
        headers[.location] = place.text
        if let cookie { headers[.setCookie] = cookie }
        return Response(status: .seeOther, headers: headers)
    }

    /// What a page has, for programs.
    static func document(_ value: some Encodable) throws -> Response { file(try WireCoding.encode(value), type: "application/json") }

    /// - Parameter name: under which browsers store it; nil lets them show it.
    static func file(_ bytes: some Sequence<UInt8>, type: String, name: String? = nil) -> Response {
        var headers = fields
        headers[.contentType] = type
        if let name { headers[.contentDisposition] = "attachment; filename=\"\(name)\"" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A file that is written while it is read.
    static func file(
        type: String, name: String, _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        var headers = fields
        headers[.contentType] = type
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return Response(status: .ok, headers: headers, body: ResponseBody(write))
    }

    static func asset(_ name: String) -> Response? {
        guard let asset = Asset.all.first(where: { $0.name == name }) else { return nil }
        var headers: HTTPFields = [
            .contentType: asset.type, .cacheControl: "public, max-age=31536000, immutable", .crossOriginResourcePolicy: "same-origin",
        ]
        headers[.contentSecurityPolicy] = "default-src 'none'"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
    }
}

/// The cookies of the console.
enum ConsoleCookie {
    /// The prefix makes browsers refuse it without `Secure`, for another path or with a domain.
    static let session = "__Host-landfall"
    static let language = "landfall-language"
    static let shortcuts = "landfall-shortcuts"

    static func session(_ token: SessionToken) -> String {
        "\(session)=\(token.text); Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=\(ConsoleSession.longestMs / 1000)"
    }

    static let noSession = "\(session)=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"

    static func language(_ language: Language) -> String {
        "\(Self.language)=\(language.tag); Path=/console; SameSite=Lax; Max-Age=31536000"
    }

    /// Without the cookie they are on.
    static func shortcuts(isOn: Bool) -> String {
        "\(shortcuts)=\(isOn ? "" : "off"); Path=/console; HttpOnly; SameSite=Lax; Max-Age=\(isOn ? 0 : 31_536_000)"
    }

    /// The value of the cookie in a request; nil if it is missing, or there twice.
    static func value(_ name: String, in request: Request) -> String? {
        let pairs = request.headers[values: .cookie].flatMap { $0.utf8.prefix(16_384).split(separator: UInt8(ascii: ";")) }
        let values = pairs.compactMap { pair -> String? in
            let text = String(decoding: pair.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
            return text.hasPrefix(name + "=") ? String(text.dropFirst(name.utf8.count + 1)) : nil
        }
        return values.count == 1 ? values[0] : nil
    }
}

extension HTTPField.Name {
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
