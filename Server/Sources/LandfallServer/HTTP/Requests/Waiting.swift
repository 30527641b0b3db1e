// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// `?after=<version>&wait=<ms>`: hold the answer until there is something newer than `after`.
struct Waiting: Hashable {
    /// The longest hold of any call, in milliseconds.
    static let longest: Int64 = 30_000

    var after: Int64?
    /// 0…30,000; more counts as 30,000. Nil: the caller did not say, and does not wait.
    private var saidMs: Int64?

    var waitMs: Int64 { saidMs ?? 0 }

    init() {}

    init(of request: Request) throws {
        let query = request.uri.queryParameters
        if let text = query["after"] {
            guard let value = Int64(text) else { throw RequestError.invalid("after", "a profile version is a whole number.") }
            after = value
        }
        if let text = query["wait"] {
            guard let value = Int64(text), value >= 0 else {
                throw RequestError.invalid("wait", "milliseconds, a whole number from 0 to 30000.")
            }
            saidMs = min(value, Self.longest)
        }
    }

    /// Takes one field of a query, for an answer on the connection's own loop.
    /// - Returns: false for another field, a repeated one, and a value that is not plain digits: the application reads those.
    mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        if after == nil, name.elementsEqual("after".utf8) {
            let isNegative = value.first == UInt8(ascii: "-")
            guard let digits = UnsafeRawBufferPointer(rebasing: value[(isNegative ? 1 : 0)...]).wholeNumber else { return false }
            after = isNegative ? -digits : digits
            return true
        }
        if saidMs == nil, name.elementsEqual("wait".utf8) {
            guard let milliseconds = value.wholeNumber else { return false }
            saidMs = min(milliseconds, Self.longest)
            return true
        }
        return false
    }
}

extension UnsafeRawBufferPointer {
    /// 1 to 18 digits, which are below every bound of `Int64`.
    fileprivate var wholeNumber: Int64? {
        guard (1...18).contains(count) else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
