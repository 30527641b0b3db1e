// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire

/// An app that works without a pause until it is killed: `TestPhone SERVER DIRECTORY SEED`.
///
/// Before each call it writes `trying KIND NUMBER`, after it `accepted KIND NUMBER`, so that a reader of its output knows what
/// the SDK had accepted when the process ended: on return for links and events, once it is in the files for the rest. For links
/// it also writes `heard new NUMBER` or `heard again NUMBER`. Numbers grow from launch to launch; the directory stores them.
@main
struct TestPhone {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let server = URL(string: arguments[1]), let seed = UInt64(arguments[3]) else { exit(64) }
        let folder = URL(filePath: arguments[2])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])
        configuration.storage = FileStorage(directory: folder.appending(path: "landfall"))
        configuration.adTokens = OneToken(value: "sim.attribution=true&id=\(folder.lastPathComponent)")
        configuration.links = NumberedLink.rules
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        let lines = StoredLines(in: folder.appending(path: "landfall"))
        client.start()
        try await lines.waitUntilOpen()
        Task { for await link in client.links { await NumberedLink.hear(link, lines) } }
        var work = Work(client: client, lines: lines, numbers: folder.appending(path: "number"), seed: seed)
        while true { try await work.step() }
    }
}

private struct OneToken: AdTokenSource {
    let value: String
    func token() async throws -> String { value }
}

/// One call after the other, in an order that the seed gives.
private struct Work {
    let client: LandfallClient
    let lines: StoredLines
    /// Holds the last number that was tried.
    let numbers: URL
    private var random: UInt64
    private var number: Int

    init(client: LandfallClient, lines: StoredLines, numbers: URL, seed: UInt64) {
        self.client = client
        self.lines = lines
        self.numbers = numbers
        random = seed
        number = (try? String(contentsOf: numbers, encoding: .utf8)).flatMap { Int($0) } ?? 0
    }

    mutating func step() async throws {
        number += 1
        try Data("\(number)".utf8).write(to: numbers, options: .atomic)
        switch draw(20) {
        case 0..<9:
            say("trying attribute \(number)")
            try client.setAttributes(["sessions": .number(Double(number))])
            if await lines.hold("\"sessions\":\(number)") { say("accepted attribute \(number)") }
        case 9:  // seldom: the server takes a bounded number of claims from one install
            say("trying claim \(number)")
            try client.reportAttribution(
                source: AttributionSource("provider-\(number)"), status: .nonOrganic, channel: nil, campaign: nil, adGroup: nil,
                adSet: nil, creative: nil
            )
            if await lines.hold("\"provider-\(number)\"") { say("accepted claim \(number)") }
        case 10..<13: try NumberedLink.receive(number, client)
        case 13: try NumberedLink.open(number, client)
        default:
            // A result that the app made itself carries the number to the store in the event's revision.
            say("trying event \(number)")
            client.recordExposure(
                of: PaywallResult(
                    paywall: Paywall(name: PaywallID("default"), variationID: VariationID("default")),
                    placement: "onboarding", audience: .everyone, origin: .bundled, attribution: .notAttributed, elapsed: .zero,
                    revision: Int64(number)
                )
            )
            say("accepted event \(number)")
        }
        try await Task.sleep(for: .milliseconds(draw(20)))
    }

    /// 0 ..< bound. A linear congruential generator: the same everywhere.
    private mutating func draw(_ bound: UInt64) -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (random >> 33) % bound
    }
}

func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8)) }
