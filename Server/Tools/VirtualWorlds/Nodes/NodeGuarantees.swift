// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire

/// The guarantees of several nodes on one store, besides every other one. Each has a name:
///
/// - N1: while one node asks Apple about a token, no other node that lives does, see ``VirtualApple``.
/// - N2: in the end every node says the same about a person.
extension PhoneLaunch {
    /// What one node says of the person.
    struct Said: Hashable, Sendable {
        let epoch: Int64
        let version: Int64
        let attributionVersion: Int64
        let attributes: [String: AttributeValue]
    }

    /// After minutes of quiet, in which news between nodes have arrived.
    func checkNodes(_ server: VirtualServer, _ trace: VirtualTrace) async {
        guard server.nodeCount > 1, !transport.credentials.isEmpty else { return }
        let hidden: Set = ["content-type", "content-length", "accept-encoding"]
        let headers = transport.credentials.filter { !hidden.contains($0.key.lowercased()) }
        let request = VirtualRequest(method: "GET", target: WirePath.profile, headers: headers, body: nil)
        var heard: [Said?] = []
        for place in 0..<server.nodeCount {
            let answer = await server.answer(to: request, at: place)
            let profile = answer.flatMap { try? WireCoding.decode(ProfileAnswer.self, from: $0.body) }?.profile
            heard.append(
                profile.map {
                    Said(
                        epoch: $0.epoch, version: $0.version, attributionVersion: $0.attributionVersion, attributes: $0.customAttributes)
                })
        }
        for breach in Self.breaches(of: heard) { trace.broke(breach.guarantee, "\(name): \(breach.text)") }
    }

    /// - Parameter heard: what each node says; nil of one that does not answer.
    static func breaches(of heard: [Said?]) -> [Breach] {
        let said = Set(heard.compactMap(\.self))
        if said.count == 1, !heard.contains(nil) { return [] }
        let versions = heard.map { $0.map { "\($0.epoch).\($0.version)" } ?? "nothing" }.joined(separator: ", ")
        return [Breach(guarantee: "N2", text: "the nodes say \(versions)")]
    }
}
