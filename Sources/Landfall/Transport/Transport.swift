// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Moves one HTTP request. The live one is ``URLSessionTransport``; tests script their own.
///
/// Follows no redirect, keeps no cookie, caches nothing, and never retries: the client decides all of that.
public protocol Transport: Sendable {
    /// Sends the request and returns as soon as the head of the answer is in.
    /// Cancelling the calling task, or dropping the answer's body, ends the exchange.
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportAnswer
}

public struct TransportRequest: Hashable, Sendable {
    public var method: String
    public var url: URL
    public var headers: [String: String]
    public var body: Data?
    /// Ends the exchange when that much time passes without a byte.
    public var idleLimit: Duration

    public init(
        method: String, url: URL, headers: [String: String] = [:], body: Data? = nil, idleLimit: Duration = .seconds(15)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleLimit = idleLimit
    }
}

public struct TransportAnswer: Sendable {
    public var status: Int
    /// Names in lower case.
    public var headers: [String: String]
    /// The body as it arrives; ends by finishing or by throwing. One consumer.
    public var body: AsyncThrowingStream<Data, any Error>

    public init(status: Int, headers: [String: String], body: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The network did not deliver. Always worth another try; says nothing about the request itself. Who tries again depends on the
/// call: see ``LandfallError``.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More kinds may follow, as for ``LandfallError/Kind``.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum Kind: Hashable, Sendable {
        /// There is no path to any network right now.
        case offline
        case timedOut
        /// Reset, refused, name not resolved, TLS.
        case connectionFailed
    }

    public let kind: Kind
    public let detail: String
    /// The server's name could not be resolved (DNS): it is wrong, or there is no connection.
    public let isHostUnknown: Bool

    public init(_ kind: Kind, detail: String = "", isHostUnknown: Bool = false) {
        self.kind = kind
        self.detail = detail
        self.isHostUnknown = isHostUnknown
    }

    public var description: String {
        let text =
            switch kind {
            case .offline: "There is no network path."
            case .timedOut: "The server did not answer in time."
            case .connectionFailed: "The connection failed."
            }
        return detail.isEmpty ? text : "\(text) \(detail.asSentence)"
    }
}
