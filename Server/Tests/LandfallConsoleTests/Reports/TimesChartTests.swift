// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports

@Suite("Times to the paywall as a picture", .timeLimit(.minutes(1)))
struct TimesChartTests {
    private static func markup(_ times: [Int64], _ values: [String: String] = [:], _ language: Language = .english) throws -> String {
        let counts = times.reduce(into: Array(repeating: Int64(0), count: ElapsedBuckets.count)) { $0[ElapsedBuckets.bucket(of: $1)] += 1 }
        return TimesChart(times: try #require(ElapsedTimes(counts)), query: ReportQuery(.paywalls, values)).html(Words(language)).markup.withoutCells
    }

    @Test("There is a bar for each step with times, a row for each step from the first to the deadline, and a line at the deadline")
    func drawing() throws {
        let markup = try Self.markup([400, 410, 2_000])
        let x = try #require(markup.firstMatch(of: /class="epoch" d="M([0-9.]+) 0v200"/).flatMap { Double($0.output.1) })
        let bars = markup.matches(of: /class="now" x="([0-9.]+)"/).compactMap { Double($0.output.1) }

        #expect(bars.count == 2 && bars.allSatisfy { $0 < x } && x <= 920)
        #expect(markup.contains("100 % of 3 exposures came within 5.00 s") && markup.contains("Deadline: 5.00 s"))
        // The rows end with the step of the deadline, whose upper end is after it.
        #expect(markup.ranges(of: "<th class=\"nowrap\"").count > 2 && markup.contains("<td class=\"number\">67 %</td>"))
    }

    @Test("Another deadline moves the line, and is in the address; the form keeps the filters")
    func deadline() throws {
        let markup = try Self.markup([400, 410, 2_000], ["deadline": "1", "placement": "onboarding"])

        #expect(markup.contains("67 % of 3 exposures came within 1.00 s") && markup.contains("value=\"1\""))
        #expect(markup.contains("<input type=\"hidden\" name=\"placement\" value=\"onboarding\">") && !markup.contains("type=\"hidden\" name=\"deadline\""))
    }

    @Test("Times without an end and without a beginning are drawn too")
    func ends() throws {
        let markup = try Self.markup([0, .max])

        #expect(markup.contains("50 % of 2 exposures") && markup.contains("&gt; 75.2 s") && markup.contains("0.00 s – 0.01 s"))
    }

    @Test("Its words are those of the language", arguments: [Language.japanese, .chinese])
    func words(language: Language) throws {
        let markup = try Self.markup([400], [:], language)

        #expect(!markup.contains("Deadline") && !markup.contains("exposures") && !markup.contains("Draw"))
    }
}
