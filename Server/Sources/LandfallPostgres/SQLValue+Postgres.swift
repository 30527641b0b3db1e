// SPDX-License-Identifier: Apache-2.0
import CPostgres
import Foundation
import LandfallStore

/// The types that are read and written, by the numbers that PostgreSQL has for them.
enum PostgresType: UInt32 {
    case bool = 16, bytea = 17, name = 19, int8 = 20, int2 = 21, int4 = 23, text = 25, float8 = 701, varchar = 1_043
    /// The answer of a function that gives nothing.
    case void = 2_278
}

/// The values of a statement in PostgreSQL's binary form; its memory is used again for the next statement.
struct ParameterBytes {
    private var bytes: [UInt8] = []
    /// Where each value begins; -1 for NULL.
    private var starts: [Int] = []
    private(set) var lengths: [Int32] = []
    private(set) var formats: [Int32] = []
    private var addresses: [UnsafePointer<CChar>?] = []

    /// - Parameter types: as the engine inferred them. A value that does not fit is refused, never converted.
    mutating func set(_ values: [SQLValue], as types: [UInt32]) throws(PostgresFailure) {
        guard values.count >= types.count else {
            throw .final(.failed("\(values.count) values for \(types.count) parameters"))
        }
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for (place, type) in types.enumerated() {
            starts.append(bytes.count)
            try add(values[place], as: type, number: place + 1)
            lengths.append(Int32(bytes.count - starts[place]))
            if case .null = values[place] { starts[place] = -1 }
        }
        // An empty value at the end has an address too: no address means NULL.
        bytes.append(0)
        while formats.count < types.count { formats.append(1) }
    }

    mutating func withAddresses<Value>(_ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        bytes.withUnsafeBytes { memory in
            let start = memory.bindMemory(to: CChar.self).baseAddress
            addresses.removeAll(keepingCapacity: true)
            for place in starts { addresses.append(place < 0 ? nil : start.map { $0 + place }) }
            return body(addresses)
        }
    }

    private mutating func add(_ value: SQLValue, as type: UInt32, number: Int) throws(PostgresFailure) {
        switch (value, PostgresType(rawValue: type)) {
        case (.null, _): break
        case (.text(let text), .text), (.text(let text), .varchar):
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            let hasZero = bytes.withUnsafeBytes { $0[start...].contains(0) }
            if hasZero { throw .final(.forbiddenCharacter) }
        case (.integer(let integer), .int8): add(integer)
        case (.integer(let integer), .int4): add(try Self.fitting(integer, number) as Int32)
        case (.integer(let integer), .int2): add(try Self.fitting(integer, number) as Int16)
        case (.integer(0), .bool), (.integer(1), .bool): bytes.append(value == .integer(1) ? 1 : 0)
        case (.real(let real), .float8): add(Int64(bitPattern: real.bitPattern))
        case (.blob(let blob), .bytea): bytes.append(contentsOf: blob)
        default: throw .final(.failed("the value of $\(number) does not fit its type in the statement (OID \(type))"))
        }
    }

    private static func fitting<Number: FixedWidthInteger>(_ integer: Int64, _ number: Int) throws(PostgresFailure) -> Number {
        guard let fitting = Number(exactly: integer) else {
            throw .final(
                .failed("the value of $\(number) is too large for its type in the statement (\(Number.bitWidth) bits)"))
        }
        return fitting
    }

    private mutating func add(_ integer: some FixedWidthInteger) {
        withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension SQLValue {
    /// - Parameter bytes: in the binary form of a type that ``PostgresType`` has.
    init(_ bytes: UnsafeRawBufferPointer, as type: PostgresType) {
        switch type {
        case .int8: self = .integer(Self.integer(bytes) as Int64)
        case .int4: self = .integer(Int64(Self.integer(bytes) as Int32))
        case .int2: self = .integer(Int64(Self.integer(bytes) as Int16))
        case .bool: self = .flag(bytes.first == 1)
        case .text, .varchar, .name: self = .text(String(decoding: bytes, as: UTF8.self))
        case .bytea: self = .blob(Array(bytes))
        case .float8: self = .real(Double(bitPattern: UInt64(bitPattern: Self.integer(bytes) as Int64)))
        case .void: self = .null
        }
    }

    private static func integer<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer) -> Number {
        bytes.count == Number.bitWidth / 8 ? Number(bigEndian: bytes.loadUnaligned(as: Number.self)) : 0
    }
}
