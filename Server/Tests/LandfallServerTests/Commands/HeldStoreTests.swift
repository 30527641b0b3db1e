// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import NIOEmbedded
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("A store that a command holds", .timeLimit(.minutes(1)))
struct HeldStoreTests {
    @Test("explains a draw by the epoch that the store has counted, for the store's version and for a file", arguments: [false, true])
    func epoch(isFileRead: Bool) async throws {
        let store = try await TestStore()
        let yaml = ExperimentServer.yaml().replacing("id: example,", with: "id: com.example.app,")
        let changed = yaml.replacing("A: { weight: 50", with: "A: { weight: 10")
        for text in [yaml, changed] {
            let configuration = try Configuration(yaml: text)
            _ = try await ConfigurationStore(store.database).publishFile(text, as: configuration, nowMs: TestStore.noon)
        }
        try await store.open(.mayasPhone)
        let file = store.folder.appending(path: "landfall.yaml").path
        try changed.write(toFile: file, atomically: true, encoding: .utf8)

        let held = try await HeldStore(
            database: store.database, configurationFile: isFileRead ? file : nil, channel: EmbeddedChannel())
        let target = "/v1/explain?placement=home&install=\(Credential.mayasPhone.installID.rawValue)"
        let explanation = try WireCoding.decode(Explanation.self, from: Data(try await held.call(BackendCall("GET", target))))

        #expect(explanation.draw?.step == .drawn && explanation.draw?.salt == "spring-price#2")
        #expect(explanation.revision == (isFileRead ? 0 : 2))
    }
}
