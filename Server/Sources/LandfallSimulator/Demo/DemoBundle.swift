// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Landfall
import LandfallWire

/// The demo app's fallback file: the paywalls for everyone, fetched from the running server.
package enum DemoBundle {
    /// - Throws: ``DemoFailure`` if the server has no such key or placement.
    package static func fetch(from server: URL) async throws -> Data {
        let path = WirePath.paywall(of: DemoRun.placement) + "?audience=default"
        guard let url = URL(string: path, relativeTo: server)?.absoluteURL else { throw DemoFailure.address(server) }
        let answer = try await URLSessionTransport().send(
            TransportRequest(method: "GET", url: url, headers: ["Authorization": "Bearer \(DemoRun.sdkKey)"])
        )
        var body = Data()
        for try await chunk in answer.body { body.append(chunk) }
        guard answer.status == 200 else { throw DemoFailure.refused(String(decoding: body, as: UTF8.self)) }
        return try WireCoding.encode(FallbackFile(try WireCoding.decode(PaywallAnswer.self, from: body)))
    }
}

/// Why the demo cannot start.
package enum DemoFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case address(URL)
    case refused(String)

    package var description: String {
        switch self {
        case .address(let url): "The server's address '\(url)' cannot be used."
        case .refused(let text):
            "The demo needs a configuration with the SDK key '\(DemoRun.sdkKey)' and the placement '\(DemoRun.placement)', "
                + "as Examples/SelfHost/landfall.yaml has them. The server said: \(text)"
        }
    }
}

/// Format 1 of the bundled fallback file, with one placement.
private struct FallbackFile: Encodable {
    struct Entry: Encodable {
        let audience: AudienceID
        let paywall: WirePaywall?
    }

    let format = 1
    let revision: Int64
    let paywalls: [String: Entry]

    init(_ answer: PaywallAnswer) {
        revision = answer.revision
        paywalls = [answer.placement.rawValue: Entry(audience: answer.audience, paywall: answer.paywall)]
    }
}
