// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

/// A golden file: the bytes that clients in the field send or expect. A change that breaks one breaks installed apps.
struct Golden {
    let data: Data

    init(_ name: String, file: String = #filePath) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Golden")
        data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value { try WireCoding.decode(type, from: data) }

    /// The file in the wire's own form: compact, keys sorted. JSONSerialization would sort them without regard to case.
    func canonical() throws -> String { String(decoding: try WireCoding.encode(try value(JSONValue.self)), as: UTF8.self) }
}

/// The value reads from the golden file and writes the same file.
func expectGolden<Value: Codable & Equatable>(
    _ value: Value, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let golden = try Golden(name)

    #expect(try golden.value(Value.self) == value, sourceLocation: sourceLocation)
    #expect(
        String(decoding: try WireCoding.encode(value), as: UTF8.self) == (try golden.canonical()),
        sourceLocation: sourceLocation
    )
}
