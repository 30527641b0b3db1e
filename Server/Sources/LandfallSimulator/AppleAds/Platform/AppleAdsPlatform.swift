// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Synchronization

/// The Apple Ads Platform API of one simulated ad account: tokens that end, a quota, deleted entities that are hidden, days that change.
/// The same seed gives the same account, the same spend and the same failures.
package final class AppleAdsPlatform: Sendable {
    /// What a test changes while the platform answers.
    package struct Behaviour: Sendable {
        /// The user's key was taken back: no token is given, and given ones count no more.
        package var isRevoked = false
        /// The user may not read the ad account.
        package var lacksRole = false
        package var organisation: Int64 = 40_669_820
        package var tokenSeconds: Int64 = 3_600
        /// Requests of a minute.
        package var quota: Int64 = 600
        /// The share of answers that are 500, 0…1.
        package var failures = 0.0
        /// Answers nothing any more.
        package var hangs = false
        /// Answers every question with 40 MB.
        package var isHuge = false
        /// Campaigns that somebody has deleted since.
        package var deleted: Set<Int64> = []
        /// The App Store id of the campaigns' app; nil: Apple's field is absent.
        package var promoted: String?

        package init() {}
    }

    package static let clientID = "SEARCHADS.sim-client", teamID = "SEARCHADS.sim-team", keyID = "sim-key"

    private let key: P256.Signing.PrivateKey
    let account: SimulatedAdAccount
    let seed: UInt64
    private let clock: @Sendable () -> Int64
    private let state: Mutex<State>

    private struct State {
        var behaviour: Behaviour
        /// When each token ends, in Unix milliseconds.
        var tokens: [String: Int64] = [:]
        var given = 0
        var windowBeganMs: Int64 = 0
        var used: Int64 = 0
        var chance: SeededNumbers
        var asked: [String] = []
    }

    /// - Parameter clock: now, in Unix milliseconds.
    package init(
        seed: UInt64 = 1, behaviour: Behaviour = Behaviour(),
        clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    ) {
        self.seed = seed
        self.clock = clock
        account = SimulatedAdAccount(seed: seed)
        key = Self.key(seed)
        state = Mutex(State(behaviour: behaviour, chance: SeededNumbers(seed)))
    }

    private static func key(_ seed: UInt64) -> P256.Signing.PrivateKey {
        let digest = SHA256.hash(data: Data("apple-ads-simulator \(seed)".utf8))
        // Nearly every 32 bytes are a key of P-256.
        return (try? P256.Signing.PrivateKey(rawRepresentation: digest)) ?? P256.Signing.PrivateKey()
    }

    package func change(_ body: (inout Behaviour) -> Void) { state.withLock { body(&$0.behaviour) } }

    /// The paths of all requests so far, those that were refused included; the newest 10,000.
    package var asked: [String] { state.withLock(\.asked) }

    /// The user's private key in PEM, to be given to the server.
    package var keyText: String { key.pemRepresentation + "\n" }

    var behaviour: Behaviour { state.withLock(\.behaviour) }
    /// - Parameter ids: of campaigns; nil for all.
    func entities(_ kind: SimulatedAdAccount.Kind, in ids: Set<Int64>?, deleted: Bool) -> [SimulatedAdAccount.Entity] {
        let gone = behaviour.deleted
        return account.entities.compactMap { entity in
            guard entity.kind == kind, ids?.contains(entity.campaign) ?? true else { return nil }
            var entity = entity
            if gone.contains(entity.campaign) { entity.isDeleted = true }
            return entity.isDeleted == deleted ? entity : nil
        }
    }

    var nowMs: Int64 { clock() }
    var today: Int { Int(nowMs / 86_400_000) }

    // MARK: - For the routes

    /// What a request's headers say of the quota.
    struct Quota: Sendable {
        let limit, left, resetSeconds: Int64
        let isExceeded: Bool
    }

    /// Counts a request of the API.
    func count(_ path: String) -> Quota {
        let nowMs = nowMs
        return state.withLock { state in
            note(path, &state)
            if nowMs - state.windowBeganMs >= 60_000 || nowMs < state.windowBeganMs { (state.windowBeganMs, state.used) = (nowMs, 0) }
            let limit = state.behaviour.quota, isExceeded = state.used >= limit
            if !isExceeded { state.used += 1 }
            let resetMs = state.windowBeganMs + 60_000 - nowMs
            return Quota(limit: limit, left: limit - state.used, resetSeconds: (resetMs + 999) / 1_000, isExceeded: isExceeded)
        }
    }

    private func note(_ path: String, _ state: inout State) {
        if state.asked.count >= 10_000 { state.asked.removeFirst(5_000) }
        state.asked.append(path)
    }

    /// Draws whether this answer is a 500.
    func fails() -> Bool { state.withLock { $0.behaviour.failures > 0 && $0.chance.isLikely($0.behaviour.failures) } }

    /// - Returns: a token and its seconds; nil if the secret is not one of this user's.
    func token(for form: [String: String]) -> (text: String, seconds: Int64)? {
        let nowMs = nowMs
        let isRight =
            form["grant_type"] == "client_credentials" && form["scope"] == "searchadsorg" && form["client_id"] == Self.clientID
            && ClientSecret.isRight(form["client_secret"] ?? "", key: key.publicKey, nowMs: nowMs)
        return state.withLock { state in
            note("/auth/oauth2/token", &state)
            guard isRight, !state.behaviour.isRevoked else { return nil }
            state.given += 1
            let text = "sim-token-\(seed)-\(state.given)"
            if state.tokens.count >= 100 { state.tokens = state.tokens.filter { $0.value > nowMs } }
            state.tokens[text] = nowMs + state.behaviour.tokenSeconds * 1_000
            return (text, state.behaviour.tokenSeconds)
        }
    }

    func isValid(_ authorization: String?) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        let nowMs = nowMs
        return state.withLock { state in
            !state.behaviour.isRevoked && state.tokens[String(authorization.dropFirst(7))].map { nowMs < $0 } ?? false
        }
    }

    /// Takes back every token that was given: their time is over on Apple's side.
    package func endTokens() { state.withLock { $0.tokens = [:] } }
}

/// The secret of a request for a token: a JWT that the user's key has signed.
private enum ClientSecret {
    private struct Header: Decodable { let alg, kid: String }
    private struct Claims: Decodable {
        let iss, sub, aud: String
        let iat, exp: Int64
    }

    static func isRight(_ text: String, key: P256.Signing.PublicKey, nowMs: Int64) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false), seconds = nowMs / 1_000
        guard parts.count == 3, let head = Data(base64URL: parts[0]), let body = Data(base64URL: parts[1]), let signed = Data(base64URL: parts[2]),
            let header = try? JSONDecoder().decode(Header.self, from: head), let claims = try? JSONDecoder().decode(Claims.self, from: body),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signed)
        else { return false }
        return header.alg == "ES256" && header.kid == AppleAdsPlatform.keyID && claims.iss == AppleAdsPlatform.teamID
            && claims.sub == AppleAdsPlatform.clientID && claims.aud == "https://appleid.apple.com" && claims.iat <= seconds + 60
            && seconds < claims.exp && claims.exp - claims.iat <= 180 * 86_400
            && key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }
}
