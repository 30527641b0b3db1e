// SPDX-License-Identifier: Apache-2.0
@testable import SeedExtractor
import Testing

@Suite("The sample is taken from the seed", .timeLimit(.minutes(1)))
struct SeedExtractorTests {
    private let sample = """
        import Adapty
        import Combine

        struct Before {
        }

        @MainActor
        final class ProfileObserver: AdaptyDelegate {
            func close() {
            }
        }

        """

    @Test("Letter for letter, without the text around it")
    func exact() throws {
        #expect(try SeedExtractor.sample(in: "Text\nextension <Yours> {\n}\n\(sample)\nMore text\n}\n") == sample)
    }

    @Test("A seed without a sample is an error", arguments: ["", "import Adapty\nfinal class ProfileObserver {", "Text"])
    func missing(text: String) {
        #expect(throws: SampleNotFound.self) { try SeedExtractor.sample(in: text) }
    }

    private let steps = """
        Text
        extension <YourAdaptyDelegateImpl>: AdaptyDelegate {
            // one
        }
        More text
        final class ProfileObserver: AdaptyDelegate {
        }
        Adapty.delegate = ProfileObserver.shared
        do {
            // two
        } catch {
            // three
        }
        The end
        """

    @Test("The lines around the sample are taken letter for letter, but for the brackets of the open name")
    func around() throws {
        #expect(
            try DocumentedSteps.sections(of: steps) == [
                ["extension YourAdaptyDelegateImpl: AdaptyDelegate {", "    // one", "}"],
                ["Adapty.delegate = ProfileObserver.shared"],
                ["do {", "    // two", "} catch {", "    // three", "}"],
            ])
    }

    @Test(
        "A seed without the lines around the sample is an error",
        arguments: ["", "extension <YourAdaptyDelegateImpl> {", "do {"])
    func missingSteps(text: String) {
        #expect(throws: StepsNotFound.self) { try DocumentedSteps.sections(of: text) }
    }
}
