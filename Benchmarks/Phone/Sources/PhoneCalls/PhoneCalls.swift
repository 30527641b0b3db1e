// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Measures the time on a caller's thread for the calls that an app makes on its main thread, compared with a bare write(2) of
/// as many bytes.
/// Prints one JSON object: nanoseconds, median and worst of each.
@main
struct PhoneCalls {
    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 10_000
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-calls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var calls = Calls(folder: folder)
        // Each lot has its own client, as an app does: a phone does not receive thousands of links.
        for lot in 0..<max(1, count / Calls.lot) { try await calls.measure(lot) }
        for number in 0..<count { await calls.measureStart(number) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(calls.figures), as: UTF8.self))
    }
}

struct Figure: Encodable {
    let count: Int
    let medianNanoseconds: Int
    let worstNanoseconds: Int

    init(_ times: [Duration]) {
        let sorted = times.map { Int($0 / .nanoseconds(1)) }.sorted()
        count = sorted.count
        medianNanoseconds = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        worstNanoseconds = sorted.last ?? 0
    }
}

struct Calls {
    static let lot = 50

    private let folder: URL
    private var times: [String: [Duration]] = [:]

    init(folder: URL) { self.folder = folder }

    var figures: [String: Figure] { times.mapValues(Figure.init) }

    mutating func measure(_ lot: Int) async throws {
        let directory = folder.appendingPathComponent("\(lot)")
        let client = try client(directory)
        client.start()
        let shown = try await client.paywall(for: "onboarding", within: .milliseconds(50))
        let opened = directory.appendingPathComponent("outbox-1.jsonl")
        while !FileManager.default.fileExists(atPath: opened.path) { await Task.yield() }
        let results = (0..<Self.lot).map { shown.numbered(Int64(lot * Self.lot + $0)) }
        let links = try (0..<Self.lot).map { number in
            guard let link = URL(string: "https://example.com/products/7?promo=summer&number=\(lot)-\(number)") else {
                throw URLError(.badURL)
            }
            return link
        }
        let bare = try FileHandle(forWritingTo: Self.emptyFile(directory.appendingPathComponent("bare")))
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 256)
        let descriptor = bare.fileDescriptor
        let lots = await onAThread {
            var times: [String: [Duration]] = [:]
            for number in 0..<Self.lot {
                times["write", default: []].append(
                    timed { _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } })
                times["receive", default: []].append(timed { client.receive(links[number]) })
                times["exposure", default: []].append(timed { client.recordExposure(of: results[number]) })
            }
            return times
        }
        times.merge(lots) { $0 + $1 }
        try bare.close()
        await client.shutdown()
        try FileManager.default.removeItem(at: directory)
    }

    mutating func measureStart(_ number: Int) async {
        let directory = folder.appendingPathComponent("start-\(number)")
        guard let client = try? client(directory) else { return }
        let time = await onAThread { timed { client.start() } }
        times["start", default: []].append(time)
        await client.shutdown()
        try? FileManager.default.removeItem(at: directory)
    }

    private func client(_ directory: URL) throws -> LandfallClient {
        guard let server = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])
        configuration.storage = FileStorage(directory: directory)
        configuration.transport = NoNetwork()
        configuration.links = LinkRules(domains: LinkDomains(universal: ["example.com"]))
        configuration.log = { _ in }
        configuration.fallback = Data(
            #"{"format":1,"revision":1,"paywalls":{"onboarding":{"audience":"everyone","paywall":{"name":"default","variationId":"default","productIds":[]}}}}"#
                .utf8)
        return LandfallClient(configuration)
    }

    private static func emptyFile(_ url: URL) -> URL {
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        return url
    }
}

extension PaywallResult {
    /// Another result of the same paywall: each result counts as a separate exposure.
    fileprivate func numbered(_ revision: Int64) -> PaywallResult {
        PaywallResult(
            paywall: paywall, placement: placement, audience: audience, origin: origin, attribution: attribution,
            elapsed: elapsed, revision: revision)
    }
}

private struct NoNetwork: Transport {
    func send(_ request: TransportRequest) async throws -> TransportAnswer { throw TransportError(.offline) }
}

private func timed(_ body: () -> Void) -> Duration {
    let begun = ContinuousClock.now
    body()
    return begun.duration(to: .now)
}

/// Runs the work on a separate thread, like an app's main thread.
private func onAThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { caller in
        let thread = Thread { caller.resume(returning: body()) }
        thread.qualityOfService = .userInteractive
        thread.start()
    }
}
