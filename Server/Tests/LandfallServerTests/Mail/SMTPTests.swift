// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The conversation with a mail server", .timeLimit(.minutes(1)))
struct SMTPTests {
    private static let letter = Letter(id: "alert-1", subject: "s", text: ".\nup", atMs: 0)

    private static func route(_ security: MailRoute.Security = .none, login: Bool = false, to: [String] = ["ops@example.com"]) -> MailRoute {
        MailRoute(
            host: "smtp.example.com", port: 25, security: security, login: login ? .init(user: "me", password: "pass") : nil,
            from: MailAddress("landfall@example.com")!, to: to.compactMap { MailAddress($0) })
    }

    /// A handler that only is there.
    private final class FakeTLS: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
    }

    /// Answers the lines of the client in order, and collects what it says.
    private static func talk(_ route: MailRoute, _ answers: [String]) throws -> (said: [String], result: Result<MailReceipt, any Error>, isSecure: Bool) {
        let channel = EmbeddedChannel(), promise = channel.eventLoop.makePromise(of: MailReceipt.self)
        var isSecure = false
        try channel.pipeline.syncOperations.addHandler(
            SMTPHandler(SMTPDialogue(letter, by: route), promise: promise) {
                isSecure = true
                return FakeTLS()
            })
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 25)).wait()
        var said: [String] = []
        for answer in answers where channel.isActive {
            try channel.writeInbound(ByteBuffer(string: answer))
            channel.embeddedEventLoop.run()
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { said.append(String(buffer: bytes)) }
        }
        _ = try? channel.finish()
        return (said, Result { try promise.futureResult.wait() }, isSecure)
    }

    @Test("A letter is handed over, with a dot before a line that begins with one, and nothing is said behind QUIT")
    func handed() throws {
        let (said, result, isSecure) = try Self.talk(
            Self.route(), ["220 mail\r\n", "250-mail\r\n250 SIZE 1000\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 queued as 7\r\n"])

        #expect(said.count == 6 && said[0] == "EHLO example.com\r\n" && said[1] == "MAIL FROM:<landfall@example.com>\r\n")
        #expect(said[2] == "RCPT TO:<ops@example.com>\r\n" && said[3] == "DATA\r\n" && said[5] == "QUIT\r\n")
        #expect(said[4].hasSuffix("\r\n\r\n..\r\nup\r\n.\r\n"))
        #expect(try result.get() == MailReceipt(answer: "250 queued as 7", refused: []) && !isSecure)
    }

    @Test("STARTTLS comes before the password, and everything is asked anew behind it")
    func secure() throws {
        let (said, result, isSecure) = try Self.talk(
            Self.route(.starttls, login: true),
            [
                "220 mail\r\n", "250-mail\r\n250-AUTH PLAIN\r\n250 STARTTLS\r\n", "220 go\r\n", "250-mail\r\n250 AUTH LOGIN PLAIN\r\n", "235 in\r\n", "250 ok\r\n",
                "250 ok\r\n", "354 go\r\n", "250 queued\r\n",
            ])

        #expect(said.prefix(4) == ["EHLO example.com\r\n", "STARTTLS\r\n", "EHLO example.com\r\n", "AUTH PLAIN AG1lAHBhc3M=\r\n"])
        #expect(try result.get().answer == "250 queued" && isSecure)
    }

    @Test("AUTH LOGIN is used where PLAIN is not offered")
    func login() throws {
        let (said, _, _) = try Self.talk(
            Self.route(login: true), ["220 mail\r\n", "250-mail\r\n250 AUTH LOGIN\r\n", "334 VXNlcm5hbWU6\r\n", "334 UGFzc3dvcmQ6\r\n", "235 in\r\n"])

        #expect(said == ["EHLO example.com\r\n", "AUTH LOGIN\r\n", "bWU=\r\n", "cGFzcw==\r\n", "MAIL FROM:<landfall@example.com>\r\n"])
    }

    @Test("A receiver that is refused is named; only if all of them are the letter is not sent")
    func receivers() throws {
        let opening = ["220 mail\r\n", "250 mail\r\n", "250 ok\r\n"]
        let some = try Self.talk(
            Self.route(to: ["a@example.com", "b@example.com"]), opening + ["550 who\r\n", "250 ok\r\n", "354 go\r\n", "250 queued\r\n"])
        let none = try Self.talk(Self.route(to: ["a@example.com", "b@example.com"]), opening + ["550 who\r\n", "550 \u{1B}[2Jwho\r\n"])

        #expect(try some.result.get().refused == ["a@example.com: 550 who"])
        #expect(!none.said.contains("DATA\r\n"))
        #expect(throws: MailFailure.refused(step: "RCPT TO", answer: "550  [2Jwho")) { try none.result.get() }
    }

    private static let failures: [(MailRoute.Security, Bool, [String], MailFailure)] = [
        (.starttls, true, ["220 mail\r\n", "250-mail\r\n250 AUTH PLAIN\r\n"], .noTLS),
        (.starttls, false, ["220 mail\r\n", "250-mail\r\n250 STARTTLS\r\n", "220 go\r\n250 injected\r\n"], .bytesBeforeTLS),
        (.starttls, false, ["220 mail\r\n", "250-mail\r\n250 STARTTLS\r\n", "220 go\r\n250 inj"], .bytesBeforeTLS),
        (.none, true, ["220 mail\r\n", "250-mail\r\n250 AUTH CRAM-MD5\r\n"], .noLogin),
        (.none, true, ["220 mail\r\n", "250-mail\r\n250 AUTH PLAIN\r\n", "535 wrong\r\n"], .refused(step: "the login", answer: "535 wrong")),
        (.none, false, ["HTTP/1.1 400 Bad Request\r\n"], .unreadable), (.none, false, ["554 no\r\n"], .refused(step: "the connection", answer: "554 no")),
        (.none, false, ["220-a\r\n250 b\r\n"], .unreadable), (.none, false, [String(repeating: "2", count: 3_000)], .tooLong),
        (.none, false, [String(repeating: "220-a\r\n", count: 101)], .tooLong), (.none, false, ["220 mail\r\n"], .closed),
        (.none, false, ["220 mail\r\n", "250 mail\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "552 too large\r\n"], .refused(step: "the letter", answer: "552 too large")),
    ]

    @Test("Whatever else the server says ends the conversation, without the password where nothing protects it", arguments: failures.indices)
    func failure(index: Int) throws {
        let (security, login, answers, failure) = Self.failures[index]

        let (said, result, _) = try Self.talk(Self.route(security, login: login), answers)

        #expect(throws: failure) { try result.get() }
        #expect(security == .none || !said.joined().contains("AUTH"))
    }

    @Test("Answers are read in any pieces, in time in proportion to their bytes")
    func pieces() throws {
        var reader = SMTPReplyReader(), replies: [SMTPReply] = []
        for byte in "250-a\r\n250-\r\n250 b\n220\r\n".utf8 { replies += try reader.take([byte]) }

        #expect(replies == [SMTPReply(code: 250, lines: ["a", "", "b"]), SMTPReply(code: 220, lines: [""])] && !reader.isWithin)
    }
}
