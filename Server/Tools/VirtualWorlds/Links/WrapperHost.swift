// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// A host that counts clicks of a mail or a post and forwards to the link behind them: some forward the parameters, some drop them.
///
/// L11: it sees nothing that identifies the app or the person.
enum WrapperHost {
    static let name = "click.mail.example"
    /// Forwards what follows its address.
    static let forwarding = "/f/"
    /// Drops it.
    static let stripping = "/s/"

    private static let secrets: Set = ["authorization", WireHeader.profile.lowercased(), WireHeader.device.lowercased(), "cookie"]

    /// - Parameter isBusy: it answers that it has no time.
    static func accept(_ request: VirtualRequest, _ connection: any VirtualConnection, isBusy: Bool, _ trace: VirtualTrace) {
        for breach in breaches(request.headers) { trace.broke(breach.guarantee, breach.text) }
        if isBusy {
            connection.head(503, [:])
        } else if let target = target(of: request.target) {
            connection.head(302, ["location": target])
        } else {
            connection.head(404, [:])
        }
        connection.end()
    }

    static func breaches(_ headers: [String: String]) -> [Breach] {
        headers.keys.filter { secrets.contains($0.lowercased()) }.sorted().map { Breach(guarantee: "L11", text: "a wrapper was sent \($0)") }
    }

    /// Where an address of the wrapper leads.
    static func target(of target: String) -> String? {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard let path = parts.first else { return nil }
        let query = parts.count > 1 ? "?\(parts[1])" : ""
        if path.hasPrefix(forwarding) { return "https://brandname.go.link/\(path.dropFirst(forwarding.count))\(query)" }
        if path.hasPrefix(stripping) { return "https://brandname.go.link/\(path.dropFirst(stripping.count))" }
        return nil
    }
}
