// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// Asks the provider, and keeps its discovery document and keys in this node's memory.
actor OpenIDProvider {
    static let freshMs: Int64 = 3_600_000
    /// After a failure nobody asks for so long: anyone may begin a sign-in.
    static let failedMs: Int64 = 10_000
    /// A token that fits no key has the keys read again, at most so often.
    static let againMs: Int64 = 60_000
    static let patience = Duration.seconds(10)
    /// Bytes of one answer.
    static let largestReply = 256 * 1024

    private struct Known {
        let document: OpenIDDocument
        let atMs: Int64
        var keys: ProviderKeys?
        var keysAtMs: Int64 = 0
    }

    private let outbound: (any OutboundHTTP)?
    private let time: ServerTime
    private var known: Known?
    private var failure: (issuer: String, atMs: Int64)?
    private var againAtMs: Int64?

    /// - Parameter outbound: nil: this node asks nobody.
    init(_ outbound: (any OutboundHTTP)?, time: ServerTime) { (self.outbound, self.time) = (outbound, time) }

    func document(of rules: OpenIDRules) async throws -> OpenIDDocument {
        let nowMs = time.nowMs()
        if let known, known.document.issuer.hasSameBytes(as: rules.issuer), Self.isWithin(Self.freshMs, known.atMs, nowMs) { return known.document }
        if let failure, failure.issuer.hasSameBytes(as: rules.issuer), Self.isWithin(Self.failedMs, failure.atMs, nowMs) {
            throw OpenIDRefusal.unreachable
        }
        do {
            let reply = try await ask(OutboundCall(.get, OpenIDDocument.address(of: rules.issuer)))
            guard reply.status == 200 else { throw OpenIDRefusal.unreachable }
            let document = try OpenIDDocument.read(reply.body, of: rules.issuer)
            // Another call may have read it meanwhile: both are as new.
            known = Known(document: document, atMs: nowMs)
            failure = nil
            return document
        } catch let refusal as OpenIDRefusal {
            failure = (rules.issuer, nowMs)
            throw refusal
        }
    }

    /// - Parameter again: also those that are known already, unless they were read again just now.
    private func keys(of document: OpenIDDocument, again: Bool) async throws -> ProviderKeys {
        let nowMs = time.nowMs()
        if let known, known.document.issuer.hasSameBytes(as: document.issuer), let keys = known.keys,
            Self.isWithin(Self.freshMs, known.keysAtMs, nowMs)
        {
            guard again, againAtMs.map({ !Self.isWithin(Self.againMs, $0, nowMs) }) ?? true else { return keys }
            againAtMs = nowMs
        }
        let reply = try await ask(OutboundCall(.get, document.keys))
        guard reply.status == 200, let keys = OpenIDDocument.decoded(reply.body, as: ProviderKeys.self) else { throw OpenIDRefusal.unreachable }
        // Another provider may have been configured meanwhile.
        if known?.document.issuer.hasSameBytes(as: document.issuer) == true {
            known?.keys = keys
            known?.keysAtMs = nowMs
        }
        return keys
    }

    /// False also for an instant that is still to come: the clock went back since then.
    private static func isWithin(_ spanMs: Int64, _ atMs: Int64, _ nowMs: Int64) -> Bool { (0..<spanMs).contains(nowMs - atMs) }

    /// What the provider says for a code.
    func claims(for code: String, _ flow: OpenIDFlow, callback: String, _ rules: OpenIDRules) async throws -> [String: JSONValue] {
        let document = try await document(of: rules)
        guard let token = IDToken(try await exchange(code, flow, callback: callback, rules, document)) else { throw OpenIDRefusal.signature }
        for again in [false, true] {
            if let claims = await token.claims(by: try await keys(of: document, again: again)) { return claims }
        }
        throw OpenIDRefusal.signature
    }

    /// - Returns: the text of the ID token.
    private func exchange(
        _ code: String, _ flow: OpenIDFlow, callback: String, _ rules: OpenIDRules, _ document: OpenIDDocument
    ) async throws -> String {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", callback), ("code_verifier", flow.verifier),
        ]
        var call = OutboundCall(.post, document.token)
        call.headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        if let place = rules.secret {
            guard let secret = place.text else { throw OpenIDRefusal.secret }
            if document.takesBasic {
                let pair = rules.clientID.percentEncoded + ":" + secret.percentEncoded
                call.headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
            } else {
                fields += [("client_id", rules.clientID), ("client_secret", secret)]
            }
        } else {
            fields.append(("client_id", rules.clientID))
        }
        call.body = Array(fields.map { $0.percentEncoded + "=" + $1.percentEncoded }.joined(separator: "&").utf8)
        let reply = try await ask(call)
        if (400..<500).contains(reply.status) { throw OpenIDRefusal.code }
        guard reply.status == 200, let answer = OpenIDDocument.decoded(reply.body, as: TokenAnswer.self) else { throw OpenIDRefusal.unreachable }
        return answer.token
    }

    private struct TokenAnswer: Decodable {
        let token: String

        private enum CodingKeys: String, CodingKey { case token = "id_token" }
    }

    /// - Throws: `unreachable` for every failure but cancellation.
    private func ask(_ call: OutboundCall) async throws -> OutboundReply {
        guard let outbound else { throw OpenIDRefusal.unreachable }
        var call = call
        call.largestReply = Self.largestReply
        do {
            let asked = call
            guard let reply = try await withTimeout(Self.patience, by: time, { try await outbound.send(asked) }) else { throw OpenIDRefusal.unreachable }
            return reply
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw OpenIDRefusal.unreachable
        }
    }
}
