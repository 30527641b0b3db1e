// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("The version of a build", .timeLimit(.minutes(1)))
struct VersionTests {
    @Test("It is on standard output, with the commit and the dependencies", arguments: [["--version"], ["serve", "--version"]])
    func version(words: [String]) async throws {
        let (status, output, errors) = try await RunningCommand(words).completion()

        let lines = output.split(separator: "\n")
        #expect(status == 0)
        #expect(errors.isEmpty)
        #expect(lines.first == "landfall \(LandfallVersion.current)")
        #expect(lines.dropFirst().first == "commit: development build")
        #expect(lines.contains { $0.wholeMatch(of: #/  swift-nio 2\.\d+\.\d+/#) != nil }, "\(output)")
    }

    @Test("The dependencies are those that the package manager has chosen")
    func dependencies() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Package.resolved").standardizedFileURL
        let resolved = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let pins = resolved?["pins"] as? [[String: Any]] ?? []

        #expect(pins.count > 10)
        #expect(BuiltFrom.dependencies.count == pins.count)
        for pin in pins {
            let state = pin["state"] as? [String: Any]
            #expect(BuiltFrom.dependencies.contains("\(pin["identity"] ?? "") \(state?["version"] ?? "")"))
        }
    }
}
