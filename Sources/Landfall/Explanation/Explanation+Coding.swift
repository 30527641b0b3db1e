// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Explanation.Wait {
    private enum CodingKeys: String, CodingKey { case what, remainingMilliseconds }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        what = try fields.decode(String.self, forKey: .what)
        remaining = try fields.duration(forKey: .remainingMilliseconds)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(what, forKey: .what)
        try fields.encodeIfPresent(remaining?.wholeMilliseconds, forKey: .remainingMilliseconds)
    }
}

extension Explanation.ErrandReport {
    private enum CodingKeys: String, CodingKey { case name, state, nextTryMilliseconds, lastError, lastErrorAgeMilliseconds }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .name)
        state = try fields.decode(String.self, forKey: .state)
        nextTry = try fields.duration(forKey: .nextTryMilliseconds)
        lastError = try fields.decodeIfPresent(String.self, forKey: .lastError)
        lastErrorAge = try fields.duration(forKey: .lastErrorAgeMilliseconds)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(state, forKey: .state)
        try fields.encodeIfPresent(nextTry?.wholeMilliseconds, forKey: .nextTryMilliseconds)
        try fields.encodeIfPresent(lastError, forKey: .lastError)
        try fields.encodeIfPresent(lastErrorAge?.wholeMilliseconds, forKey: .lastErrorAgeMilliseconds)
    }
}

extension KeyedDecodingContainer {
    fileprivate func duration(forKey key: Key) throws -> Duration? {
        try decodeIfPresent(Int64.self, forKey: key).map { .milliseconds($0) }
    }
}
