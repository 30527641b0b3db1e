// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSimulator
import LandfallWire
import Synchronization

/// The calls of one phone of earlier days.
struct EarlierPhone: Sendable {
    let node: InProcessNode
    private let credential = UUID().uuidString.lowercased() + "." + String(repeating: "A", count: 43)

    init(node: InProcessNode) { self.node = node }

    func call(_ path: String, _ body: JSONValue) async throws {
        let status = Status()
        try await node.respond(
            to: "POST", path, headers: ["Authorization": "Bearer \(DemoRun.sdkKey)", "Landfall-Profile": credential],
            body: Data(try WireCoding.encode(body)), head: { code, _ in status.value.withLock { $0 = code } }, bytes: { _ in })
        let answered = status.value.withLock { $0 }
        guard 200..<300 ~= answered else { throw DemoFailure.refused("\(path): \(answered)") }
    }

    private final class Status: Sendable { let value = Mutex(0) }
}
