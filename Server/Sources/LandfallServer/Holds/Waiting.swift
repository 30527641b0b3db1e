// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// `?after=<version>&wait=<ms>`: hold the answer until something newer than `after` is there.
struct Waiting: Hashable {
    /// The longest hold of any call.
    static let longest: Int64 = 30_000

    var after: Int64?
    /// 0…30,000; more counts as 30,000.
    var waitMs: Int64 = 0

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
            waitMs = min(value, Self.longest)
        }
    }
}
