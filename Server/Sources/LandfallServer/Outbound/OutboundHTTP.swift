// SPDX-License-Identifier: Apache-2.0

/// Calls of this server to another one. No redirect is followed, and nothing is tried a second time.
package protocol OutboundHTTP: Sendable {
    /// Honours cancellation; the caller sets the time limit.
    /// - Throws: any error if there was no whole answer.
    func send(_ call: OutboundCall) async throws -> OutboundReply
}

package struct OutboundCall: Sendable {
    package enum Method: String, Sendable { case get = "GET", post = "POST" }

    package var method: Method
    package var url: String
    package var headers: [String: String] = [:]
    package var body: [UInt8]?
    /// In digits: connects to this address, whatever DNS says. TLS still asks for the certificate of the URL's host.
    package var address: String?
    /// A longer answer counts as none. 0: the body is not read.
    package var largestReply = 65_536

    package init(_ method: Method, _ url: String) { (self.method, self.url) = (method, url) }
}

package struct OutboundReply: Hashable, Sendable {
    package let status: Int
    package let body: [UInt8]
    /// The text of `Retry-After`; its unit is the other server's.
    package var retryAfter: String?

    package init(status: Int, body: [UInt8], retryAfter: String? = nil) {
        (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    }
}
