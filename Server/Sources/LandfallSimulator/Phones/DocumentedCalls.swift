// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire

/// The requests of an SDK of the documented kind: profile, token, paywall. They use this server's own calls, so that both sides
/// talk to the same server in the same way.
struct DocumentedCalls: Sendable {
    let server: URL
    let transport: any Transport
    /// The caller's credential: made by the first launch and kept.
    let credential: String

    /// Creates or reads the profile: is it attributed to Apple Ads?
    func isAttributed() async throws -> Bool {
        let body = try await collected(try await send("GET", WirePath.profile))
        return try WireCoding.decode(ProfileAnswer.self, from: body).profile.isFromAppleAds
    }

    /// Sends the token; the answer continues until Apple has answered, and reports every state of the profile until then.
    func report(token: String, onProfile: (Bool) -> Void) async throws {
        let request = FirstOpenRequest(device: .init(), adToken: .value(token), placements: [], holdMilliseconds: 10_000)
        let answer = try await send("POST", WirePath.firstOpen, body: try WireCoding.encode(request))
        var rest = Data()
        for try await chunk in answer.body {
            rest.append(chunk)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = try? WireCoding.decode(FirstOpenLine.self, from: Data(rest[..<end]))
                rest = Data(rest[(end + 1)...])
                if case .profile(let profile)? = line { onProfile(profile.isFromAppleAds) }
            }
        }
    }

    /// - Returns: true for a paywall that only users of Apple Ads see.
    func isAppleAdsPaywall(_ audience: PaywallAnswer.AudienceKind) async throws -> Bool {
        let path = WirePath.paywall(of: DemoRun.placement) + "?audience=\(audience.rawValue)"
        let body = try await collected(try await send("GET", path))
        return try WireCoding.decode(PaywallAnswer.self, from: body).audience != .everyone
    }

    private func send(_ method: String, _ path: String, body: Data? = nil) async throws -> TransportAnswer {
        guard let url = URL(string: path, relativeTo: server)?.absoluteURL else { throw TransportError(.connectionFailed) }
        var headers = ["authorization": "Bearer \(DemoRun.sdkKey)", WireHeader.profile.lowercased(): credential]
        if body != nil { headers["content-type"] = "application/json" }
        let answer = try await transport.send(TransportRequest(method: method, url: url, headers: headers, body: body))
        guard answer.status == 200, answer.headers[WireHeader.version.lowercased()] != nil else {
            throw TransportError(.connectionFailed, detail: "Status \(answer.status).")
        }
        return answer
    }

    private func collected(_ answer: TransportAnswer) async throws -> Data {
        var body = Data()
        for try await chunk in answer.body { body.append(chunk) }
        return body
    }

    static func freshCredential() -> String { "\(installID()).\(secret())" }

    /// A UUID of version 7, as every installation has.
    private static func installID() -> String {
        let milliseconds = String(Int64(Date().timeIntervalSince1970 * 1_000), radix: 16)
        let time = String(repeating: "0", count: 12 - milliseconds.count) + milliseconds
        let random = UUID().uuidString.lowercased().split(separator: "-")
        return "\(time.prefix(8))-\(time.suffix(4))-7\(random[2].dropFirst())-\(random[3])-\(random[4])"
    }

    private static func secret() -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        return Data(bytes).base64URL
    }
}

extension WireProfile {
    fileprivate var isFromAppleAds: Bool { appliedAttributionSources.contains(.appleAds) }
}
