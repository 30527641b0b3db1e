// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The app that uses everything public", .timeLimit(.minutes(1)))
struct UsedNamesTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test(
        "uses every call and property of the types that apps begin with",
        arguments: [
            ("Landfall", "LandfallClient"), ("Landfall", "LandfallConfiguration"), ("Landfall", "LinkObservation"),
            ("LandfallApple", "LandfallClient"), ("LandfallApple", "LFLandfall"), ("LandfallApple", "LFPaywallResult"),
            ("LandfallApple", "LFLinkObservation"), ("LandfallApple", "View"),
        ])
    func names(module: String, type: String) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent("App"), includingPropertiesForKeys: nil)
        let app = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let api = try String(contentsOf: folder.appendingPathComponent("api/\(module).txt"), encoding: .utf8)

        let names = api.split(separator: "\n").filter { $0.hasPrefix("\(type): ") }.compactMap(Self.name)
        let unused = names.filter { app.range(of: "\\.\($0)\\b", options: .regularExpression) == nil }

        #expect(!names.isEmpty)
        #expect(unused.isEmpty)
    }

    /// - Returns: nil for initialisers and conformances.
    private static func name(in line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(where: { ["func", "var", "let"].contains($0) }), keyword + 1 < words.endIndex else {
            return nil
        }
        return String(words[keyword + 1].prefix { $0.isLetter || $0.isNumber })
    }
}
