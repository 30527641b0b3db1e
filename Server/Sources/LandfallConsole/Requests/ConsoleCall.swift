// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// A request to the console, as far as it is checked: a handler gets it only after the checks of its route.
struct ConsoleCall: Sendable {
    /// The most bytes of a form, unless its route says otherwise.
    static let formLimit = 256 * 1024
    /// The most fields of a form.
    static let mostFields = 200

    let request: Request
    let context: AppContext
    let words: Words
    let nowMs: Int64
    /// False on plain http from elsewhere: then nobody signs in.
    let isSafe: Bool
    /// The address that limits count; nil where it tells nobody apart.
    let address: ClientAddress?
    /// The page with the form, for a POST; nil for a page.
    let page: String?
    /// Only where the route needs a member.
    var visitor: ConsoleVisitor?
    /// The fields of the form, for a POST.
    var form: [String: String] = [:]

    /// - Throws: `not_found`, if the route let somebody in without a session: a bug in the table of routes.
    var member: ConsoleVisitor {
        get throws {
            guard let visitor else { throw RequestError.notFound }
            return visitor
        }
    }

    /// False for a member to whom numbers about fewer than ten people are not told.
    var seesPeople: Bool { get throws { try member.member.role.rights.contains(.people) } }

    /// A field of the address, as forms write them: `+` is a space.
    func query(_ name: String) -> String? {
        request.uri.query.flatMap { FormText.fields($0, most: Self.mostFields)?[name] }
    }

    /// A field of the form, without the spaces around it.
    func field(_ name: String) -> String {
        var text = (form[name] ?? "").unicodeScalars[...]
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The network in the form in which it is kept in the audit log: 24 bits of IPv4, 48 of IPv6.
    var network: String? {
        address.map { address in
            address.bytes.count == 4
                ? address.bytes.prefix(3).map { "\($0)" }.joined(separator: ".") + ".0/24"
                : stride(from: 0, to: 6, by: 2).map { index in
                    String(UInt16(address.bytes[index]) << 8 | UInt16(address.bytes[index + 1]), radix: 16)
                }.joined(separator: ":") + "::/48"
        }
    }

    var origin: SessionStore.Origin {
        SessionStore.Origin(agent: BrowserName.of(request.headers[.userAgent]), network: network)
    }

    func line(_ action: AuditAction, _ subject: String, by member: String? = nil) -> AuditLine {
        AuditLine(action: action, member: member ?? visitor?.member.email.text, subject: subject, network: network)
    }

    /// False: members sign in by the OpenID provider only.
    var takesPasswords: Bool { context.snapshot.configuration.signIn.allowsPasswords }
    var hasProvider: Bool { context.snapshot.configuration.signIn.openID != nil }

    /// What pages of this member have in common.
    var frame: Frame {
        get throws {
            let visitor = try member
            var frame = Frame(
                words: words, app: context.snapshot.app.name, memberName: visitor.member.name, role: visitor.member.role,
                formToken: visitor.formToken, address: page ?? request.uri.string)
            frame.hasShortcuts = ConsoleCookie.value(ConsoleCookie.shortcuts, in: request) != "off"
            frame.answersForm = page != nil
            frame.memory = "landfall \(context.snapshot.app.id) \(visitor.member.id)"
            return frame
        }
    }
}

/// A member with the session of this request.
struct ConsoleVisitor: Sendable {
    let member: Member
    let session: ConsoleSession
    let token: SessionToken

    /// What the forms of the session carry.
    var formToken: String { session.formToken ?? token.formToken }
}
