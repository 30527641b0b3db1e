// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// Asks Apple with the file's key: gets a token, sends it with each call, and waits as Apple wants. One call at a time.
///
/// An actor: its token and its pace must stay right across the suspensions of a call.
actor AppleAdsSession {
    /// Of an answer, in bytes. A page is asked so small that Apple's stay well below it.
    static let largestAnswer = 16 << 20
    /// The time limit of one call.
    static let callLimit: Duration = .seconds(120)
    /// How often a call is sent that Apple does not answer, and how often one that comes too early.
    static let mostTries = 6, mostLimited = 20

    private struct Token {
        let text: String
        /// A minute before Apple's own end.
        let endsAtMs: Int64
    }

    private let access: AppleAdsAccess
    private let addresses: AppleAdsAddresses
    private let outbound: any OutboundHTTP
    private let time: ServerTime
    private var token: Token?
    private var pace = AppleAdsPace()

    init(_ access: AppleAdsAccess, _ addresses: AppleAdsAddresses, _ outbound: any OutboundHTTP, time: ServerTime) {
        (self.access, self.addresses, self.outbound, self.time) = (access, addresses, outbound, time)
    }

    /// - Parameters:
    ///   - path: below the API's address, such as `/campaigns/query`.
    ///   - account: the ad account that the call is about; nil for calls about the user.
    ///   - body: JSON; nil for a GET.
    /// - Returns: the body of Apple's answer.
    /// - Throws: ``AppleAdsTrouble``; `CancellationError`.
    func ask(_ path: String, account: Int64? = nil, body: [UInt8]? = nil) async throws -> [UInt8] {
        var isRenewed = false
        while true {
            // First the wait: a token may end during it.
            try await rest()
            let token = try await currentToken()
            var call = OutboundCall(body == nil ? .get : .post, addresses.api + path)
            call.headers = ["Accept": "application/json", "Authorization": "Bearer \(token)"]
            call.headers["X-AP-Context"] = account.map { "adAccountId=\($0)" }
            call.headers["Content-Type"] = body.map { _ in "application/json" }
            call.body = body
            let reply = try await answer(to: call, named: path)
            switch reply.status {
            case 200: return reply.body
            case 401:
                // It may have ended on Apple's side earlier than it said.
                self.token = nil
                guard !isRenewed else { throw AppleAdsTrouble(.refused, "Apple refuses a token that it has just given: \(Self.said(reply)) for \(path).") }
                isRenewed = true
            case 403: throw AppleAdsTrouble(.roleMissing, "Apple says \(Self.said(reply)) for \(path)\(account.map { " of the ad account \($0)" } ?? "").")
            default: throw AppleAdsTrouble(.unexpected, "Apple says \(Self.said(reply)) for \(path).")
            }
        }
    }

    // MARK: - Tokens

    private func currentToken() async throws -> String {
        if let token, time.nowMs() < token.endsAtMs { return token.text }
        let nowMs = time.nowMs()
        let secret: String
        do { secret = try AppleAdsClientSecret.text(access, audience: addresses.audience, nowMs: nowMs) } catch {
            throw AppleAdsTrouble(.keyUnusable, "\(error)")
        }
        let form = [
            ("grant_type", "client_credentials"), ("scope", "searchadsorg"), ("client_id", access.clientID),
            ("client_secret", secret),
        ].map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        var call = OutboundCall(.post, addresses.token)
        call.headers = ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"]
        call.body = Array(form.utf8)
        let reply = try await answer(to: call, named: "a token")
        guard reply.status == 200, let answer = try? JSONDecoder().decode(TokenAnswer.self, from: Data(reply.body)) else {
            // Also 401: the standard of OAuth allows both.
            let isRefused = reply.status == 400 || reply.status == 401
            throw AppleAdsTrouble(isRefused ? .invalidClient : .unexpected, "Apple gives no token: \(Self.said(reply)).")
        }
        let lifeMs = min(max(answer.expires_in ?? 3_600, 0), 86_400) * 1_000
        token = Token(text: answer.access_token, endsAtMs: nowMs + max(lifeMs - 60_000, 0))
        return answer.access_token
    }

    private struct TokenAnswer: Decodable {
        let access_token: String
        /// In seconds.
        let expires_in: Int64?
    }

    // MARK: - Waits

    private func rest() async throws {
        let waitMs = pace.waitMs(nowMs: time.nowMs())
        if waitMs > 0 { try await time.sleep(.milliseconds(waitMs)) }
    }

    /// Sends the call until Apple answers it: not before the quota allows it, and after silence, 5xx and 429 with growing pauses.
    /// - Parameter name: of what is asked, in messages.
    private func answer(to call: OutboundCall, named name: String) async throws -> OutboundReply {
        var call = call
        (call.largestReply, call.patience) = (Self.largestAnswer, Self.callLimit)
        var failures = 0, limited = 0, pause: Int64 = 1
        while true {
            try await rest()
            let trouble: AppleAdsTrouble
            do {
                let sent = try await withTimeout(Self.callLimit, by: time) { [outbound, call] in try await outbound.send(call) }
                guard let reply = sent else { throw AppleAdsTrouble(.unreachable, "Apple does not answer \(name) within \(Self.callLimit.components.seconds) s.") }
                pace.heed(reply, nowMs: time.nowMs())
                switch reply.status {
                case 429:
                    limited += 1
                    guard limited < Self.mostLimited else { throw AppleAdsTrouble(.limited, "Apple says \(limited) times in a row that \(name) is asked too often.") }
                    if (AppleAdsPace.rest(after: reply) ?? 0) > 0 { continue }
                    trouble = AppleAdsTrouble(.limited, "Apple says that \(name) is asked too often.")
                case 500...: trouble = AppleAdsTrouble(.failing, "Apple says \(Self.said(reply)) for \(name).")
                default: return reply
                }
            } catch let error as AppleAdsTrouble {
                guard error.kind == .unreachable else { throw error }
                trouble = error
            } catch let error as OutboundReplyTooLarge {
                throw AppleAdsTrouble(.unexpected, "Apple's answer about \(name) is of another kind. \(error)")
            } catch {
                try Task.checkCancellation()
                trouble = AppleAdsTrouble(.unreachable, "Apple cannot be reached for \(name): \(error)")
            }
            if trouble.kind != .limited {
                failures += 1
                guard failures < Self.mostTries else { throw trouble }
            }
            try await time.sleep(.seconds(pause))
            pause = min(AppleAdsPace.longestPause, pause * 2)
        }
    }

    /// The status with Apple's code and message, as far as the body has them.
    private static func said(_ reply: OutboundReply) -> String {
        struct Answer: Decodable {
            struct Fault: Decodable {
                let code: String?
                let message: String?
            }
            let error: Fault?
        }
        struct TokenAnswer: Decodable { let error: String? }
        let body = Data(reply.body.prefix(8_192))
        let fault = (try? JSONDecoder().decode(Answer.self, from: body))?.error
        let code = (try? JSONDecoder().decode(TokenAnswer.self, from: body))?.error ?? fault?.code
        return "\(reply.status)" + (code.map { " \($0)" } ?? "") + (fault?.message.map { " (\($0))" } ?? "")
    }
}

/// The client secret: a JWT that says who asks, signed by the team's key. One for each token, valid for minutes.
enum AppleAdsClientSecret {
    static let lifeSeconds: Int64 = 300

    private struct Claims: Encodable {
        let iss, sub, aud: String
        let iat, exp: Int64
    }

    static func text(_ access: AppleAdsAccess, audience: String, nowMs: Int64) throws -> String {
        let seconds = nowMs / 1_000
        // Apple's clock may be a little behind.
        let claims = Claims(iss: access.teamID, sub: access.clientID, aud: audience, iat: seconds - 10, exp: seconds + lifeSeconds)
        return try access.privateKey.key().token(claims, keyID: access.keyID)
    }
}
