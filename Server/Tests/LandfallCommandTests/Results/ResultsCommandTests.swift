// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("landfall results", .timeLimit(.minutes(1)))
struct ResultsCommandTests {
    private static let numbers = """
        {"experiment":"spring-price","metric":"paid","plannedUnits":20000,"looks":[[9110,9094]],
         "strata":[{"weights":{"A":1,"B":1},"variations":{"A":{"units":9110,"conversions":431},"B":{"units":9094,"conversions":502}}}]}
        """

    private func withFile<Value>(_ text: String, _ body: (String) async throws -> Value) async throws -> Value {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path)
    }

    @Test("answers with the contract's document, and only with it")
    func json() async throws {
        let ending = try await withFile(Self.numbers) {
            try await RunningCommand(["results", "--input", $0, "--json"]).completion()
        }
        let document = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        let comparison = (document?["comparisons"] as? [[String: Any]])?.first

        #expect(ending.status == 0 && ending.errors.isEmpty)
        #expect(document?["experiment"] as? String == "spring-price" && document?["unitsLeft"] as? Int == 1796)
        #expect(comparison?["verdict"] as? String == "not decided" && comparison?["metric"] as? String == "paid")
        #expect((comparison?["liftInterval"] as? [Double])?.map { ($0 * 1000).rounded() } == [-39, 421])
    }

    @Test("prints money of any size: refunds with a minus sign, and more than an integer holds", arguments: [("-1234560", "−123,456"), ("1e20", "1e+19")])
    func money(sum: String, printed: String) async throws {
        let sample = #"{"units":10,"sum":\#(sum),"sumOfSquares":1e41}"#
        let numbers = #"{"strata":[{"weights":{"A":1,"B":1},"variations":{"A":\#(sample),"B":\#(sample)}}]}"#

        let ending = try await withFile(numbers) { try await RunningCommand(["results", "--input", $0]).completion() }

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains(printed), "\(ending.output)")
    }

    @Test("prints a page of at most 100 columns: health, then the verdict")
    func page() async throws {
        let ending = try await withFile(Self.numbers) { try await RunningCommand(["results", "--input", $0]).completion() }
        let lines = ending.output.split(separator: "\n").map(String.init)

        #expect(ending.status == 0)
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(lines.firstIndex(of: "Health")! < lines.firstIndex(of: "Verdict")!)
        #expect(lines.contains("  B is not decided on paid.") && lines.contains("  1,796 more units to the planned 20,000."))
        #expect(lines.contains { $0.contains("−3.9 … +42.1 %") && $0.contains("●") && $0.hasSuffix("not decided") })
    }

    @Test("says that a failed ratio suppresses the verdict")
    func suppressed() async throws {
        let text = Self.numbers.replacing("9110,9094", with: "9110,8094")
        let ending = try await withFile(text) { try await RunningCommand(["results", "--input", $0]).completion() }

        #expect(ending.status == 0)
        #expect(
            ending.output.contains("FAILED") && ending.output.contains("Suppressed:") && ending.output.contains("  suppressed"))
        #expect(!ending.output.contains("B is "))
        #expect(ending.errors.contains("looks add up to 9110, 8094 units"))
    }

    @Test("reads standard input, and writes a picture that is XML")
    func picture() async throws {
        let picture = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).svg")
        defer { try? FileManager.default.removeItem(at: picture) }
        let text = Self.numbers.replacing("spring-price", with: "<spring> & \\\"price\\\"")

        let ending = try await withFile(text) {
            let line = #"exec "$0" results --input - --svg "$1" < "$2""#
            return try await RunningCommand([picture.path, $0], launcher: ["/bin/sh", "-c", line]).completion()
        }

        #expect(ending.status == 0, "\(ending.errors)")
        let svg = try String(contentsOf: picture, encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.contains("&lt;spring&gt; &amp; &quot;price&quot;") && svg.contains("not decided"))
        #expect(svg.count { $0 == "<" } == svg.count { $0 == ">" } && svg.hasSuffix("</svg>\n"))
    }

    @Test(
        "names the path of a wrong value, and ends with 1",
        arguments: [
            (#""units":9094"#, #""units":-3"#, "strata[0].variations.B.units"),
            (#""conversions":502"#, #""conversions":NaN"#, "strata[0].variations.B.conversions"),
            (#""plannedUnits":20000"#, #""plannedUnits":0"#, "plannedUnits"), ("[9110,9094]", "[9110]", "looks[0]"),
        ])
    func wrong(part: String, replacement: String, path: String) async throws {
        let text = Self.numbers.replacing(part, with: replacement)
        let ending = try await withFile(text) { try await RunningCommand(["results", "--input", $0, "--json"]).completion() }

        #expect(ending.status == 1)
        #expect(ending.errors.contains("Error: \(path): "), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test("treats a missing file as a wrong command line")
    func noFile() async throws {
        #expect(try await RunningCommand(["results", "--input", "nowhere.json"]).ending().status == 64)
    }
}
