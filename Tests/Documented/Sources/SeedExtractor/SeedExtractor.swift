// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `SeedExtractor SEED SAMPLE PRESENCE [TEMPLATE ABSENT]` writes two sources.
///
/// SAMPLE is the seed's sample, from `import Adapty` to the end of `ProfileObserver`, letter for letter, and PRESENCE says
/// that it is there. Where SEED is empty, SAMPLE has its two names and no more, and PRESENCE says why. With a TEMPLATE, SAMPLE
/// is that file with the seed's snippets in it, and where SEED is empty the file ABSENT.
///
/// `SeedExtractor --steps SEED SAMPLE TEMPLATE ABSENT` writes TEMPLATE with the lines around the sample in it.
@main
struct SeedExtractor {
    static func main() throws {
        if CommandLine.arguments[1] == "--steps" { return try writeSteps(Array(CommandLine.arguments.dropFirst(2))) }
        let (seed, sample, presence) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
        let template = CommandLine.arguments.dropFirst(4)
        let text =
            if let template = template.first, !seed.isEmpty {
                try SnippetTemplate(text: read(template)).filled(from: read(seed))
            } else if let absent = template.last {
                try read(absent)
            } else {
                seed.isEmpty ? namesAlone : try self.sample(in: read(seed))
            }
        try text.write(toFile: sample, atomically: true, encoding: .utf8)
        try self.presence(seed.isEmpty ? absence : nil).write(toFile: presence, atomically: true, encoding: .utf8)
    }

    private static func writeSteps(_ files: [String]) throws {
        let (seed, sample, template, absent) = (files[0], files[1], files[2], files[3])
        let text =
            seed.isEmpty
            ? try read(absent)
            : try SnippetTemplate(text: read(template)).filled(with: DocumentedSteps.sections(of: read(seed)))
        try text.write(toFile: sample, atomically: true, encoding: .utf8)
    }

    private static func read(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    /// The sample alone, without the text around it.
    static func sample(in text: String) throws -> String {
        let lines = text.components(separatedBy: "\n")
        guard let first = lines.firstIndex(of: "import Adapty"),
            let observer = lines[first...].firstIndex(where: { $0.hasPrefix("final class ProfileObserver") }),
            let last = lines[observer...].firstIndex(of: "}")
        else { throw SampleNotFound() }
        return lines[first...last].joined(separator: "\n") + "\n"
    }

    static func presence(_ absence: String?) -> String {
        """
        /// Why the sample is not compiled here; nil: it is.
        nonisolated let sampleIsAbsentBecause: String? = \(absence.map { "\"\($0)\"" } ?? "nil")

        """
    }

    static let absence = """
        The documented sample is not part of this repository. Put its text into ../shared/seeds (001….txt, 003….txt) \
        beside the repository, or set LANDFALL_SEEDS to a folder that has it.
        """

    /// What uses the sample compiles and can say why nothing runs.
    static let namesAlone = """
        import Adapty

        enum PaywallLoader {
            static func getPaywallOrDefault(placementId: String, timeout: TimeInterval) async throws -> AdaptyPaywall {
                throw CancellationError()
            }
        }

        @MainActor
        final class ProfileObserver: AdaptyDelegate {
            static let shared = ProfileObserver()
            nonisolated func didLoadLatestProfile(_ profile: AdaptyProfile) {}
        }

        """
}

struct SampleNotFound: Error, CustomStringConvertible {
    let description = "The seed has no sample: expected 'import Adapty' … 'final class ProfileObserver' … '}'."
}
