// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// Calls of this server to another one. No redirect is followed, and nothing is tried a second time.
package protocol OutboundHTTP: Sendable {
    /// Honours cancellation; the caller sets the time limit.
    /// - Throws: any error if there was no whole answer.
    func send(_ call: OutboundCall) async throws -> OutboundReply
}

package struct OutboundCall: Sendable, Redacted {
    package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT", delete = "DELETE", head = "HEAD" }

    package var method: Method
    package var url: String
    package var headers: [String: String] = [:]
    package var body: [UInt8]?
    /// In digits: connects to this address, whatever DNS says. TLS still asks for the certificate of the URL's host.
    package var address: String?
    /// A longer answer counts as none. 0: the body is not read.
    package var largestReply = 65_536
    /// How long the other server may take until its answer begins.
    package var patience = Duration.seconds(10)

    package init(_ method: Method, _ url: String) { (self.method, self.url) = (method, url) }
}

package struct OutboundReply: Hashable, Sendable {
    package let status: Int
    package let body: [UInt8]
    /// By lower-case name; of several fields with one name, the first.
    private let headers: [String: String]

    package init(status: Int, body: [UInt8], headers: [(name: String, value: String)] = []) {
        (self.status, self.body) = (status, body)
        self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter name: in lower case.
    package func header(_ name: String) -> String? { headers[name] }

    /// The text of `Retry-After`; its unit is the other server's.
    package var retryAfter: String? { headers["retry-after"] }
}

/// The answer is longer than the caller allows.
package struct OutboundReplyTooLarge: Error, Hashable, CustomStringConvertible {
    package let largest: Int

    package var description: String { "The answer has more than \(largest) bytes. Nothing of it is used." }
}
