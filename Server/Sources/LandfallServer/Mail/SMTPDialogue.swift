// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules

/// What a client says to a mail server, answer by answer, until the server has the letter. No connection, no clock.
package struct SMTPDialogue: Sendable {
    enum Step: Hashable, Sendable {
        case send([UInt8])
        /// TLS begins now; then these bytes are sent.
        case startTLS([UInt8])
        /// The server has the letter.
        case done(MailReceipt, [UInt8])
    }

    private enum State: Hashable {
        case greeting, hello, startTLS, login, loginUser, loginPassword, sender, receiver(Int), content, end, isDone
    }

    private let route: MailRoute
    private let letter: [UInt8]
    private var state = State.greeting
    private var isSecure: Bool
    private var refused: [String] = []

    /// - Parameter route: with `tls` the connection is secure from its first byte.
    package init(_ letter: Letter, by route: MailRoute) {
        self.route = route
        self.letter = letter.lines(from: route.from, to: route.to)
        isSecure = route.security == .tls
    }

    mutating func take(_ reply: SMTPReply) throws(MailFailure) -> Step {
        switch state {
        case .greeting:
            try expect(reply, 220, "the connection")
            return hello()
        case .hello:
            try expect(reply, 250, "EHLO")
            return try greeted(reply)
        case .startTLS:
            try expect(reply, 220, "STARTTLS")
            isSecure = true
            // Nothing that was said before counts: it was not protected.
            guard case .send(let bytes) = hello() else { throw .unreadable }
            return .startTLS(bytes)
        case .loginUser:
            try expect(reply, 334, "AUTH LOGIN")
            return say(Self.base64(route.login?.user ?? ""), then: .loginPassword)
        case .loginPassword:
            try expect(reply, 334, "the user's name")
            return say(Self.base64(route.login?.password ?? ""), then: .login)
        case .login:
            try expect(reply, 235, "the login")
            return sender()
        case .sender:
            try expect(reply, 250, "MAIL FROM")
            return receiver(0)
        case .receiver(let index):
            if reply.code != 250, reply.code != 251 { refused.append("\(route.to[index].text): \(reply.text)") }
            if index + 1 < route.to.count { return receiver(index + 1) }
            guard refused.count < route.to.count else { throw .refused(step: "RCPT TO", answer: reply.text) }
            return say("DATA", then: .content)
        case .content:
            try expect(reply, 354, "DATA")
            state = .end
            return .send(Self.stuffed(letter))
        case .end:
            try expect(reply, 250, "the letter")
            state = .isDone
            return .done(MailReceipt(answer: reply.text, refused: refused), Array("QUIT\r\n".utf8))
        case .isDone: throw .unreadable
        }
    }

    // MARK: - What is said

    private mutating func hello() -> Step { say("EHLO " + route.from.host, then: .hello) }

    private mutating func greeted(_ reply: SMTPReply) throws(MailFailure) -> Step {
        // The first line is the server's name.
        let offers = reply.lines.dropFirst().map { $0.uppercased().split(separator: " ").map(String.init) }
        if route.security == .starttls, !isSecure {
            guard offers.contains(where: { $0.first == "STARTTLS" }) else { throw .noTLS }
            return say("STARTTLS", then: .startTLS)
        }
        guard let login = route.login else { return sender() }
        let ways = offers.first { $0.first == "AUTH" }?.dropFirst() ?? []
        if ways.contains("PLAIN") { return say("AUTH PLAIN " + Self.base64("\0\(login.user)\0\(login.password)"), then: .login) }
        guard ways.contains("LOGIN") else { throw .noLogin }
        return say("AUTH LOGIN", then: .loginUser)
    }

    private mutating func sender() -> Step { say("MAIL FROM:<\(route.from.text)>", then: .sender) }

    private mutating func receiver(_ index: Int) -> Step { say("RCPT TO:<\(route.to[index].text)>", then: .receiver(index)) }

    private mutating func say(_ line: String, then next: State) -> Step {
        state = next
        return .send(Array((line + "\r\n").utf8))
    }

    private func expect(_ reply: SMTPReply, _ code: Int, _ step: String) throws(MailFailure) {
        guard reply.code == code else { throw .refused(step: step, answer: reply.text) }
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// A line that begins with a dot gets a second one, because a dot alone ends the letter.
    static func stuffed(_ lines: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.count + 64)
        var isLineBegun = false
        for byte in lines {
            if byte == UInt8(ascii: "."), !isLineBegun { bytes.append(byte) }
            bytes.append(byte)
            isLineBegun = byte != UInt8(ascii: "\n")
        }
        return bytes + (isLineBegun ? [13, 10] : []) + Array(".\r\n".utf8)
    }
}
