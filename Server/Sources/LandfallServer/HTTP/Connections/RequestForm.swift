// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOHTTP1

/// What a request's head asks of its connection.
package struct RequestForm: Hashable {
    /// The answer is the last on this connection: the request says so, it is HTTP/1.0, or another protocol may follow it.
    var isLast = false
    /// HTTP/1.0 has neither chunks nor interim answers.
    var isOld = false

    /// The largest body that any route accepts; a larger body is not read.
    package static let mostAwaited = 8 * 1024 * 1024
}

extension HTTPRequestHead {
    /// Normalises the head for the handlers behind: the target is a path, Host is the requested host, `Connection` is `close`
    /// or absent, `Expect` is present only if the client waits for `100 Continue`.
    /// - Parameters:
    ///   - isHostNeeded: false if the connection can only be to this server, as through a socket in a folder.
    ///   - endsConnection: the answer is the last of this connection, whatever the request says.
    /// - Throws: the client's error. Bytes after it on the same connection have no meaning.
    mutating func bringIntoForm(
        isHostNeeded: @autoclosure () -> Bool = true, endsConnection: Bool = false
    ) throws(RequestError) -> RequestForm {
        // A request for a tunnel: this server has none, and the parser stops after it.
        guard method != .CONNECT else { throw .noTunnel }
        let signs = HeadSigns(headers)
        var form = RequestForm(isLast: signs.isLast || endsConnection, isOld: version == .http1_0)
        guard signs.hosts <= 1 else { throw .severalHosts }
        guard signs.hosts == 1 || form.isOld || !isHostNeeded() else { throw .noHost }
        // A proxy that forwarded it may have seen another end of its body.
        guard !form.isOld || !signs.isTransferCoded, !signs.hasEmptyCoding else { throw .notHTTP }
        try takeHostOutOfTarget()

        if form.isOld { form.isLast = true }
        if signs.expects {
            let isTooLarge = (signs.length ?? 0) > RequestForm.mostAwaited
            if form.isOld || isTooLarge || !signs.hasBody || signs.expectation != "100-continue" { headers.remove(name: "expect") }
            // The client may still send the body, so no request can follow.
            if isTooLarge { form.isLast = true }
        }
        if signs.hasConnection { headers.remove(name: "connection") }
        if form.isLast { headers.add(name: "connection", value: "close") }
        return form
    }

    /// `GET http://host/path`, which every server must accept: the host in the target counts, and the Host field does not.
    private mutating func takeHostOutOfTarget() throws(RequestError) {
        if uri.utf8.first == UInt8(ascii: "/") || uri == "*" { return }
        guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), uri[colon...].hasPrefix("://"),
            ["http", "https"].contains(uri[..<colon].lowercased())
        else { throw .notHTTP }
        let rest = uri[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else { throw .notHTTP }
        headers.replaceOrAdd(name: "host", value: String(authority))
        let target = rest[authority.endIndex...]
        uri = target.hasPrefix("/") ? String(target) : "/" + target
    }
}

/// The fields about the message itself, found in one pass.
private struct HeadSigns {
    var hosts = 0
    var hasConnection = false
    var isLast = false
    var isTransferCoded = false
    /// `Transfer-Encoding` without a coding: the parser reads on by the length, another reader may see a body without end.
    var hasEmptyCoding = false
    /// Nil if it is absent or not a number; the parser refuses the latter.
    var length: Int?
    var expects = false
    var expectation = ""
    var hasBody: Bool { isTransferCoded || (length ?? 0) > 0 }

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            // The length of the name alone rules out most fields.
            switch name.utf8.count {
            case 4 where name.lowercased() == "host": hosts += 1
            case 6 where name.lowercased() == "expect":
                expects = true
                expectation = value.lowercased()
            case 10 where name.lowercased() == "connection":
                hasConnection = true
                isLast = isLast || Self.ends(value)
            case 14 where name.lowercased() == "content-length": length = Int(value)
            case 17 where name.lowercased() == "transfer-encoding":
                isTransferCoded = true
                hasEmptyCoding = hasEmptyCoding || value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            default: break
            }
        }
    }

    /// After an upgrade the parser treats what follows as another protocol; this server supports none.
    private static func ends(_ value: String) -> Bool {
        value.lowercased().split(separator: ",").contains { part in
            let option = part.drop { $0 == " " || $0 == "\t" }
            return ["close", "upgrade"].contains { option.hasPrefix($0) && option.dropFirst($0.count).allSatisfy(\.isWhitespace) }
        }
    }
}

extension RequestError {
    static let noHost = RequestError(.malformedRequest, "The request names no host. HTTP/1.1 needs a Host field.")
    static let noTunnel = RequestError(
        .methodNotAllowed, "This server is not a proxy and makes no tunnels.", allow: "GET, HEAD, POST, DELETE")
}
