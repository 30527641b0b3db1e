// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallRules

@Suite("Secrets of a service", .timeLimit(.minutes(1)))
struct ProcessEnvironmentTests {
    @Test("may be files that systemd gives to it, under the names of their variables")
    func credentials() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("sk_one\n".utf8).write(to: folder.appending(path: "LANDFALL_ONE"))
        try Data("sk_two".utf8).write(to: folder.appending(path: "LANDFALL_TWO"))
        try Data([0xFF, 0xFE]).write(to: folder.appending(path: "LANDFALL_BINARY"))

        #expect(ProcessEnvironment.credential("LANDFALL_ONE", in: folder.path) == "sk_one")
        #expect(ProcessEnvironment.credential("LANDFALL_TWO", in: folder.path) == "sk_two")
        for name in ["LANDFALL_THREE", "LANDFALL_BINARY", "../\(folder.lastPathComponent)/LANDFALL_ONE"] {
            #expect(ProcessEnvironment.credential(name, in: folder.path) == nil, "\(name)")
        }
    }
}
