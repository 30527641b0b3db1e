// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// One bucket of an S3-compatible store. Each call is tried some times, with waits between that have an end.
package struct S3Bucket: Sendable, Redacted {
    /// The waits after the first, the second … try that failed.
    static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)]
    /// A store that asks for a longer rest is given up.
    private static let longestRest: Int64 = 60
    /// Of one try. A part of an upload needs 70 kB a second.
    private static let patience: Duration = .seconds(120)
    /// Of a request after which the caller ends.
    static let lastPatience: Duration = .seconds(10)
    /// Of an answer that is a document.
    private static let largestDocument = 4 << 20

    private let name: String
    private let access: S3Access
    private let http: any OutboundHTTP
    private let time: ServerTime

    package init(_ name: String, _ access: S3Access, by http: any OutboundHTTP, time: ServerTime = .live) {
        (self.name, self.access, self.http, self.time) = (name, access, http, time)
    }

    /// - Parameters:
    ///   - key: of the object; empty for the bucket.
    ///   - what: is asked, in messages.
    ///   - largest: answer, in bytes.
    ///   - isLast: the caller waits for nothing else: one short try.
    /// - Returns: an answer whose status is 200 to 299.
    /// - Throws: ``S3Failure``, `CancellationError`
    func send(
        _ method: OutboundCall.Method, _ key: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], largest: Int = S3Bucket.largestDocument, isLast: Bool = false, _ what: String
    ) async throws -> OutboundReply {
        let address = access.endpoint.address(of: name)
        let path = address.path + "/" + key.split(separator: "/", omittingEmptySubsequences: false).map { String($0).percentEncoded }.joined(separator: "/")
        let request = S3Request(method: method, path: path, query: query, headers: headers, body: body)
        var url = address.base + path
        if !query.isEmpty { url += "?" + request.queryText }
        var tries = 0
        while true {
            let (result, rest) = try await once(request, url, host: address.host, largest, isLast ? Self.lastPatience : Self.patience, what)
            switch result {
            case .success(let reply): return reply
            case .failure(let failure):
                let mayPass = failure.kind == .failing || failure.kind == .unreachable
                guard mayPass, !isLast, tries < Self.waits.count, rest <= Self.longestRest else { throw failure }
                try await time.sleep(max(Self.waits[tries], .seconds(rest)))
                tries += 1
            }
        }
    }

    /// - Returns: also the seconds after which the store wants to be asked again.
    private func once(
        _ request: S3Request, _ url: String, host: String, _ largest: Int, _ patience: Duration, _ what: String
    ) async throws -> (Result<OutboundReply, S3Failure>, rest: Int64) {
        var call = OutboundCall(request.method, url)
        call.headers = S3Signature(access: access).headers(of: request, host: host, nowMs: time.nowMs())
        call.body = request.body.isEmpty && request.method != .put && request.method != .post ? nil : request.body
        (call.largestReply, call.patience) = (largest, patience)
        do {
            let answer = try await withTimeout(patience, by: time) { [http, call] in try await http.send(call) }
            guard let reply = answer else { return (.failure(S3Failure(.unreachable, "The store did not answer \(what) in \(patience).")), 0) }
            // Of a long task the store sends the status before it is done.
            let isFault = request.method == .post && S3Document(reply.body).first("Code") != nil
            if (200..<300).contains(reply.status), !isFault { return (.success(reply), 0) }
            return (.failure(S3Failure(reply, what, access)), reply.retryAfter.flatMap { Int64($0) }.map { max($0, 0) } ?? 0)
        } catch let error as OutboundReplyTooLarge {
            return (.failure(S3Failure(.unexpected, "\(error)")), 0)
        } catch {
            try Task.checkCancellation()
            return (.failure(S3Failure(.unreachable, access.withoutSecrets("There is no answer to \(what) (\(error))."))), 0)
        }
    }

    /// Replaces an older object of that name.
    package func put(_ bytes: [UInt8], as key: String) async throws {
        _ = try await send(.put, key, headers: ["content-type": "application/octet-stream"], body: bytes, "the upload of '\(key.shortened)'")
    }

    /// Succeeds too if there is no such object.
    package func remove(_ key: String) async throws { _ = try await send(.delete, key, "the deletion of '\(key.shortened)'") }

    /// The names of objects that begin with a text, in the order of their bytes.
    /// - Parameter pages: that are read at most, of 1,000 names each.
    /// - Throws: ``S3Failure`` also if there are very many.
    package func keys(beginning prefix: String, pages: Int = 100) async throws -> [String] {
        var keys: [String] = [], token: String?
        for _ in 0..<pages {
            var query: [(name: String, value: String)] = [("list-type", "2"), ("prefix", prefix)]
            if let token { query.append(("continuation-token", token)) }
            let document = S3Document(try await send(.get, "", query: query, "the list of '\(prefix.shortened)'").body)
            keys += document.all("Key")
            guard document.first("IsTruncated") == "true", let next = document.first("NextContinuationToken") else {
                return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            token = next
        }
        throw S3Failure(.tooLarge, "More than \(pages) thousand objects begin with '\(prefix.shortened)'.")
    }
}
