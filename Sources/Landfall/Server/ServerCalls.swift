// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Talks to the server: builds requests, distinguishes its answers from another server's, and turns refusals into errors.
struct ServerCalls: Sendable {
    let server: URL
    let sdkKey: String
    let transport: any Transport
    /// Receives the credential of an installation that the server has erased.
    let onErased: @Sendable (String) -> Void
    let now: @Sendable () -> Duration
    let log: @Sendable (LogLine) -> Void

    /// Larger than any answer of the server: a page of another server must not fill the memory.
    static let longestAnswer = 4 * 1024 * 1024
    /// As ``longestAnswer``, for a first-open stream, which has many answers.
    static let longestStream = 4 * longestAnswer
    /// An exchange without a byte for so long has ended; a held request has so much longer.
    private static let idleLimit: Duration = .seconds(15)
    /// How much longer than that an answer's body may take: a peer that sends a byte now and then must not hold a call. A late
    /// part counts if it is the last.
    private static let slowness: Duration = .seconds(45)

    func request(
        _ method: String, _ path: String, query: [(String, String?)] = [], body: Data? = nil, as install: Install?,
        wait: Duration = .zero, saysDevice: Bool = false, linkRules: String? = nil
    ) -> TransportRequest {
        var headers = ["authorization": "Bearer \(sdkKey)", "accept": "application/json"]
        if let install { headers[WireHeader.profile.lowercased()] = install.credential }
        if saysDevice, let device = install?.deviceID { headers[WireHeader.device.lowercased()] = device }
        if let linkRules { headers[WireHeader.linkRules.lowercased()] = linkRules }
        if body != nil { headers["content-type"] = "application/json" }
        return TransportRequest(
            method: method, url: url(path, query), headers: headers, body: body, idleLimit: wait + Self.idleLimit
        )
    }

    /// - Throws: ``LandfallError``, `CancellationError`.
    func answer<Value: Decodable & Sendable>(_ type: Value.Type, to request: TransportRequest) async throws -> Value {
        let body = try await collected(try await accepted(request), for: request)
        do {
            return try WireCoding.decode(type, from: body)
        } catch {
            throw LandfallError(.network(TransportError(.connectionFailed, detail: "The answer cannot be read.")))
        }
    }

    /// The head of a successful answer. A refusal is thrown; an answer of another server counts as a network failure.
    /// - Throws: ``LandfallError``, `CancellationError`.
    func accepted(_ request: TransportRequest) async throws -> TransportAnswer {
        let begun = now()
        do {
            let answer = try await sent(request)
            say(request, "\(answer.status)", since: begun)
            return answer
        } catch {
            say(request, error.asOutcome, since: begun)
            throw error
        }
    }

    /// One line for each request, without its headers, query and body.
    private func say(_ request: TransportRequest, _ outcome: String, since begun: Duration) {
        let line = "\(request.method) \(request.url.path) after \((now() - begun).inWords): \(outcome)"
        log(LogLine(.debug, line, category: .requests))
    }

    private func sent(_ request: TransportRequest) async throws -> TransportAnswer {
        guard request.url.isOfServer else {
            let detail = "'\(server.absoluteString.cut(toBytes: 200))' is not the address of a server"
            throw LandfallError(.network(TransportError(.connectionFailed, detail: detail)))
        }
        let answer: TransportAnswer
        do {
            answer = try await abandoning { [transport] in
                try Task.checkCancellation()
                return try await transport.send(request)
            }
        } catch let error as TransportError {
            throw LandfallError(.network(error))
        }
        guard answer.headers[WireHeader.version.lowercased()] != nil else {
            let detail = "Another server answered with status \(answer.status) (a captive portal or a proxy)."
            throw LandfallError(.network(TransportError(.connectionFailed, detail: detail)))
        }
        guard !(200..<300).contains(answer.status) else { return answer }
        let refusal = try await refusal(answer, to: request)
        if refusal.kind == .refused(.profileErased), let credential = request.headers[WireHeader.profile.lowercased()] {
            onErased(credential)
        }
        throw refusal
    }

    /// - Throws: ``LandfallError`` if the body is lost: nobody knows then what the server has refused. `CancellationError`.
    private func refusal(_ answer: TransportAnswer, to request: TransportRequest) async throws -> LandfallError {
        let status = answer.status
        let isTemporary = status >= 500 || status == 408 || status == 429
        let body: Data
        do { body = try await collected(answer, for: request) } catch is LandfallError { body = Data() }
        if let problem = (try? WireCoding.decode(ErrorBody.self, from: body))?.error {
            return LandfallError(isTemporary ? .unavailable(problem.code) : .refused(problem.code), detail: problem.message)
        }
        if isTemporary { return LandfallError(.unavailable(.internalError), detail: "Status \(status).") }
        let detail = "The server answered with status \(status), and its reason did not arrive."
        return LandfallError(.network(TransportError(.connectionFailed, detail: detail)))
    }

    private func collected(_ answer: TransportAnswer, for request: TransportRequest) async throws -> Data {
        var body = Data()
        let end = now() + request.idleLimit + Self.slowness
        var isLate = false
        do {
            for try await chunk in answer.body {
                guard !isLate else { throw TransportError(.timedOut, detail: "The answer came too slowly.") }
                body.append(chunk)
                guard body.count <= Self.longestAnswer else {
                    throw TransportError(.connectionFailed, detail: "Endless answer.")
                }
                isLate = now() >= end
            }
        } catch let error as TransportError {
            throw LandfallError(.network(error))
        }
        try Task.checkCancellation()
        return body
    }

    private func url(_ path: String, _ query: [(String, String?)]) -> URL {
        guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: true) else { return server }
        let front = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
        parts.path = front + path
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        parts.queryItems = items.isEmpty ? nil : items
        return parts.url ?? server
    }
}

extension Error {
    /// How a request ended, at the end of its line in the log.
    var asOutcome: String {
        if self is CancellationError { return "it was no longer needed" }
        return (self as? LandfallError)?.whatHappened ?? inWords
    }
}
