// SPDX-License-Identifier: Apache-2.0
@testable import SeedExtractor
import Testing

@Suite("Snippets are put into their template", .timeLimit(.minutes(1)))
struct SnippetTemplateTests {
    private let seed = """
        Text
        AppDelegateライフサイクルを使用するUIKitアプリ
        文。
        // First
        one,
        two
        // First
        - (BOOL)objectiveC
        SceneDelegateライフサイクルを使用するUIKitアプリ
        AppDelegateライフサイクルを使用するSwiftUIアプリの手順に従ってください。
        @Wrapped three
        """

    @Test("Letter for letter, with the expected number of lines, without Objective-C")
    func filled() throws {
        let template = SnippetTemplate(
            text: """
                func a(
                    //seed section 1
                    //seed 3
                ) {}
                //seed end
                //seed section 2
                //seed 1
                //seed end
                """)

        #expect(
            try template.filled(from: seed) == """
                func a(
                    // First
                    one,
                    two
                ) {}
                @Wrapped three
                """)
    }

    @Test("Objective-C is what follows the repeated first line, up to the next heading")
    func objectiveC() throws {
        let template = SnippetTemplate(text: "//seed objc 1\n//seed 2\n@end\n//seed end")

        #expect(try template.filled(from: seed) == "// First\n- (BOOL)objectiveC\n@end")
    }

    @Test(
        "Other snippets than expected are an error",
        arguments: ["//seed 4", "//seed 2\n//seed end", "//seed section 3", "//seed many", "//seed section 0", "//seed objc 9"])
    func differing(_ text: String) {
        #expect(throws: SnippetsDiffer.self) { try SnippetTemplate(text: text).filled(from: seed) }
    }
}
