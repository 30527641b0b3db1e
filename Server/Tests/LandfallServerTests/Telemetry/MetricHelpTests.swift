// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Testing

@testable import LandfallNode
@testable import LandfallServer

@Suite("Every metric")
struct MetricHelpTests {
    private static let server = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// The names in the sources.
    private static func named() throws -> Set<String> {
        try SourceTexts.files().reduce(into: []) { names, file in
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: #/label: "((landfall|process)_[a-z_]+)"/#).map { String($0.output.1) })
        }
    }

    @Test("has one sentence of help, and no help is left for a removed metric")
    func help() throws {
        let named = try Self.named()

        #expect(named.count > 40)
        #expect(named.subtracting(MetricHelp.texts.keys) == [])
        #expect(Set(MetricHelp.texts.keys).subtracting(named) == [])
        #expect(MetricHelp.texts.values.allSatisfy { $0.hasSuffix(".") && !$0.contains("\n") && !$0.contains("\\") })
    }

    @Test("is on the operators' page of metrics, and the page has no other")
    func page() throws {
        let page = try String(contentsOf: Self.server.appending(path: "../docs/operating/metrics.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").compactMap { $0.firstMatch(of: #/^\| `((landfall|process)_[a-z_]+)/#).map { String($0.output.1) } }

        #expect(Set(rows) == Set(MetricHelp.texts.keys))
        #expect(rows.count == Set(rows).count)
    }

    /// The rules of `promtool check metrics`, for what a node sends.
    @Test("keeps the rules of Prometheus")
    func rules() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            let services = server.services
            let watch = StoreWatch(services.database, time: services.time, logger: .silent)
            services.nodeTelemetry(watch).report()
            ProcessTelemetry(factory: services.metrics).report()

            let text = services.metrics.text(), lines = text.split(separator: "\n")
            let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ") }

            #expect(types.count > 15)
            #expect(text.contains("landfall_ready 1"))
            #expect(text.contains(#"landfall_build_info{version="\#(LandfallVersion.current)"} 1"#))
            for type in types {
                let (name, kind) = (String(type[2]), type[3])
                #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") }, "\(name)")
                #expect((kind == "counter") == name.hasSuffix("_total"), "\(name)")
                #expect(!name.contains(":") && !["_count", "_sum", "_bucket"].contains(where: name.hasSuffix), "\(name)")
                #expect(!name.contains("millisecond") && !name.contains("_ms"), "base units")
            }
            #expect(Set(types.map { $0[2] }).count == types.count)
        }
    }

    @Test("of the process has the system's value", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func process() throws {
        #expect(try #require(ProcessFacts.cpuSeconds) > 0)
        #expect(try #require(ProcessFacts.residentBytes) > 1_048_576)
        #expect(try #require(ProcessFacts.openFiles) > 2)
        #expect(try #require(ProcessFacts.mostFiles) > 2)
        let start = try #require(ProcessFacts.startSeconds)
        #expect(abs(start - Date().timeIntervalSince1970) < 86_400)
    }
}
