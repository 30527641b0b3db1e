// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// Brings a letter to a mail server.
package protocol MailSending: Sendable {
    /// Ends within a minute, also if the server is silent.
    /// - Parameter address: in digits; the connection goes there, whatever DNS says. TLS still asks for the certificate of the route's host.
    /// - Throws: ``MailFailure``, or why there is no connection.
    func send(_ letter: Letter, by route: MailRoute, at address: String) async throws -> MailReceipt
}

/// What the server said when it took the letter.
package struct MailReceipt: Hashable, Sendable {
    package let answer: String
    /// Receivers that it does not take, with its answer about each.
    package let refused: [String]

    package init(answer: String, refused: [String]) { (self.answer, self.refused) = (answer, refused) }
}

/// Why a letter was not taken. Each may pass.
package enum MailFailure: Error, Hashable, CustomStringConvertible {
    /// - Parameters:
    ///   - step: what the server was asked.
    ///   - answer: printable.
    case refused(step: String, answer: String)
    case noTLS
    case noLogin
    /// Bytes after the answer to STARTTLS and before TLS: nobody has protected them.
    case bytesBeforeTLS
    case unreadable
    case tooLong
    case closed
    case tooSlow

    package var description: String {
        switch self {
        case .refused(let step, let answer): "The mail server answers '\(answer)' to \(step)."
        case .noTLS: "The mail server offers no STARTTLS. Write 'security: tls' with its port for TLS, usually 465."
        case .noLogin: "The mail server offers neither AUTH PLAIN nor AUTH LOGIN. Use an account of a server that does, or leave 'user' out."
        case .bytesBeforeTLS: "The mail server, or somebody before it, sent bytes between STARTTLS and TLS. Nothing of them is used."
        case .unreadable: "The mail server answers in a way that is not SMTP. Look at 'host', 'port' and 'security'."
        case .tooLong: "The mail server's answers are too long."
        case .closed: "The mail server closed the connection."
        case .tooSlow: "The mail server did not answer in time."
        }
    }
}
