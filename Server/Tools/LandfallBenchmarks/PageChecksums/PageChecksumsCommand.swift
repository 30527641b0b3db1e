// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CPages
import Foundation

struct PageChecksumsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page-checksums", abstract: "What does the checksum of a page cost, and that of a frame of the log? JSON, in nanoseconds.")

    @Option(help: "Bytes of a page.") var size = 4_096
    @Option(help: "How often each is measured.") var rounds = 20
    /// More than the processor's nearest memory holds.
    private static let pages = 256, times = 50_000

    private struct Figures: Encodable { let page, frame: Spread }

    func run() throws {
        var memory = [UInt8](repeating: 0, count: size * Self.pages), numbers = SystemRandomNumberGenerator()
        for place in memory.indices { memory[place] = UInt8.random(in: .min ... .max, using: &numbers) }
        let page = measured(&memory) { start, number in landfall_page_stamp(start, size, UInt32(number)) }
        var first: UInt32 = 0, second: UInt32 = 0
        let frame = measured(&memory) { start, _ in landfall_log_checksum(start, size, 0, &first, &second) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(Figures(page: page, frame: frame)), as: UTF8.self))
    }

    private func measured(_ memory: inout [UInt8], _ sum: (_ page: UnsafeMutablePointer<UInt8>, _ number: Int) -> Void) -> Spread {
        memory.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Spread([0]) }
            return Spread(
                (0..<max(rounds, 1)).map { _ in
                    let begun = ContinuousClock.now
                    for number in 1...Self.times { sum(start + number % Self.pages * size, number) }
                    return (ContinuousClock.now - begun) / .nanoseconds(1) / Double(Self.times)
                })
        }
    }
}
