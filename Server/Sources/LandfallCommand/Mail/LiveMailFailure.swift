// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import NIOCore
import NIOPosix
#if HTTPS
import NIOSSL
#endif

/// Why there was no conversation with a mail server, in place of what the network's libraries say.
enum LiveMailFailure: Error, Hashable, CustomStringConvertible {
    /// - Parameter address: with the port.
    case notReached(address: String)
    case notTrusted
    /// - Parameter host: the one of the configuration.
    case anotherHost(String)
    case noSecureConnection

    /// Nil for an error of another kind.
    init?(_ error: any Error, route: MailRoute, address: String) {
        #if HTTPS
        switch error {
        case NIOSSLError.handshakeFailed:
            self = "\(error)".contains("CERTIFICATE_VERIFY_FAILED") ? .notTrusted : .noSecureConnection
            return
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self = .anotherHost(route.host)
            return
        default: break
        }
        #endif
        guard error is NIOConnectionError || error is IOError || error is ChannelError else { return nil }
        self = .notReached(address: "\(address), port \(route.port)")
    }

    var description: String {
        switch self {
        case .notReached(let address): "The mail server cannot be reached at \(address). Look at 'host' and 'port', and at firewalls between."
        case .notTrusted: "This machine does not trust the mail server's certificate. Add its authority to the system's certificates."
        case .anotherHost(let host): "The mail server's certificate does not name '\(host)'. Write the name that the certificate has as 'host'."
        case .noSecureConnection:
            "The mail server and this one found no TLS that both speak. Look at 'port' and 'security': 465 is 'tls', 587 is 'starttls'."
        }
    }
}
