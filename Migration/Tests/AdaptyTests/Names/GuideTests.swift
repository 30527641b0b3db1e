// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The guide's programs are those that are compiled, in every language of the guide. In the package that stands alone the pages
/// are not there.
@Suite("Programs of the guide", .timeLimit(.minutes(1)), .enabled(if: ListedName.page != nil))
struct GuideTests {
    @Test(
        "Each program of a whole start-up is in the compiled calls, line by line",
        arguments: ["migrating/from-adapty.md", "ja/from-adapty.md", "zh-Hans/from-adapty.md"])
    func compiled(page: String) throws {
        let programs = try programs(of: page)
        let guide = "Migration/Tests/AdaptyCallSites/Calls/Guide.swift"
        let compiled = lines(of: try String(contentsOf: ListedName.root.appending(path: guide), encoding: .utf8))

        #expect(programs.count == 4)
        for program in programs {
            #expect(compiled.contains(program), "Not in \(guide): \(program.first ?? "an empty program")")
        }
    }

    /// The Swift blocks that declare types, without imports and `@main`.
    private func programs(of page: String) throws -> [[String]] {
        let text = try String(contentsOf: ListedName.root.appending(path: "docs/\(page)"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst()
        return blocks.compactMap { $0.components(separatedBy: "\n```").first }.map(lines)
            .filter { $0.contains { $0.hasPrefix("struct ShopApp") || $0.hasPrefix("final class Launch") } }
    }

    private func lines(of text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "@main" && !$0.hasPrefix("import ") && !$0.hasPrefix("//") }
    }
}
