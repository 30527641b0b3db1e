// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Every problem says the way to its value", .timeLimit(.minutes(1)))
struct ConfigurationPathTests {
    @Test(
        "The way is the one that people write",
        arguments: [
            ("nothing: 1\n", "nothing"),
            ("appleAds: { enable: true }\n", "appleAds.enable"),
            ("domains: { brand: [links.example.com, 'no host'] }\n", "domains.brand[1]"),
            ("audiences: { ads: { \"app.version\": 3 } }\n", "audiences.ads[\"app.version\"]"),
        ])
    func ways(addition: String, path: String) {
        let reading = ConfigurationReading(yaml: Sample.base + addition)

        #expect(reading.problems.map(\.path) == [path], "\(reading.problems)")
    }

    @Test("What is missing is said of the mapping that lacks it, and not of its first key")
    func missing() {
        let reading = ConfigurationReading(yaml: Sample.base.replacing("  bundleId: com.example.sample\n", with: ""))

        #expect(reading.problems.map(\.path) == ["app"])
    }

    @Test("A value that aliases repeat has the way of each place where it is used")
    func aliases() {
        let reading = ConfigurationReading(
            yaml: Sample.base + "audiences:\n  one: &wrong { country: 1 }\n  two: *wrong\n")

        #expect(reading.problems.count == 2)
        #expect(reading.problems.map { $0.path.prefix(13) } == ["audiences.one", "audiences.two"], "\(reading.problems)")
    }

    @Test("A way has a bound, however deep the value is")
    func deep() {
        var path = ConfigurationPath()
        for _ in 0..<64 { path.step(into: String(repeating: "k", count: 1_000)) }

        #expect(path.description.utf8.count <= ConfigurationPath.longest)
    }

    @Test("What cannot be parsed has no way")
    func unparsed() {
        #expect(ConfigurationReading(yaml: "app: [\n").problems.map(\.path) == [""])
    }
}
