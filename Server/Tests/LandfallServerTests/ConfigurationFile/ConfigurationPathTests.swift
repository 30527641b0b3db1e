// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Every problem has the path of its value", .timeLimit(.minutes(1)))
struct ConfigurationPathTests {
    @Test(
        "The path has the form that people write",
        arguments: [
            ("nothing: 1\n", "nothing"),
            ("appleAds: { enable: true }\n", "appleAds.enable"),
            ("domains: { brand: [links.example.com, 'no host'] }\n", "domains.brand[1]"),
            ("audiences: { ads: { \"app.version\": 3 } }\n", "audiences.ads[\"app.version\"]"),
        ])
    func ways(addition: String, path: String) {
        let reading = ReadConfiguration(yaml: Sample.base + addition)

        #expect(reading.problems.map(\.path) == [path], "\(reading.problems)")
    }

    @Test("A missing key is reported for the mapping that lacks it, not for its first key")
    func missing() {
        let reading = ReadConfiguration(yaml: Sample.base.replacing("  bundleId: com.example.sample\n", with: ""))

        #expect(reading.problems.map(\.path) == ["app"])
    }

    @Test("A value that aliases repeat has the path of each place where it is used")
    func aliases() {
        let reading = ReadConfiguration(
            yaml: Sample.base + "audiences:\n  one: &wrong { country: 1 }\n  two: *wrong\n")

        #expect(reading.problems.count == 2)
        #expect(reading.problems.map { $0.path.prefix(13) } == ["audiences.one", "audiences.two"], "\(reading.problems)")
    }

    @Test("A path has a limit, however deep the value is")
    func deep() {
        var path = ConfigurationPath()
        for _ in 0..<64 { path.step(into: String(repeating: "k", count: 1_000)) }

        #expect(path.description.utf8.count <= ConfigurationPath.longest)
    }

    @Test("A text that cannot be parsed has no path")
    func unparsed() {
        #expect(ReadConfiguration(yaml: "app: [\n").problems.map(\.path) == [""])
    }
}
