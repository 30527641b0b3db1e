// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// `--json`, for the commands that answer with one document.
struct JSONOption: ParsableArguments {
    @Flag(help: "One JSON document on standard output, and nothing else.")
    var json = false

    func write(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        Output.line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
