// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("docs/features/testing.md", .timeLimit(.minutes(1)))
struct TestingPageTests {
    @Test("shows the code that is compiled and run here")
    func example() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: here.appendingPathComponent("../../docs/features/testing.md"), encoding: .utf8)
        let code = try String(contentsOf: here.appendingPathComponent("OurFirstOpenTests.swift"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }

        #expect(!blocks.isEmpty)
        for block in blocks { #expect(code.contains(block), "The file does not hold this block of the page.") }
    }
}
