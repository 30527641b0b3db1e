// SPDX-License-Identifier: Apache-2.0
import LandfallRules

extension S3Bucket {
    /// The headers of an object.
    func object(_ key: String) async throws -> OutboundReply { try await send(.head, key, "a question about '\(key.shortened)'") }

    /// Reads an object piece by piece: no more than a part of it is in memory.
    /// - Parameters:
    ///   - part: in bytes.
    ///   - body: takes each part, in order.
    /// - Returns: the size of the object.
    /// - Throws: ``S3Failure``, also if the object changes meanwhile; `CancellationError`; what the closure throws.
    @discardableResult
    package func read(_ key: String, part: Int = S3Upload.usualPart, _ body: (_ bytes: [UInt8], _ done: Int64, _ all: Int64) async throws -> Void)
        async throws -> Int64
    {
        let object = try await object(key)
        guard let all = object.header("content-length").flatMap({ Int64($0) }), let tag = object.header("etag") else {
            throw S3Failure(.unexpected, "The store does not say the size of '\(key.shortened)'.")
        }
        var done: Int64 = 0
        while done < all {
            let end = min(done + Int64(part), all)
            let headers = ["range": "bytes=\(done)-\(end - 1)", "if-match": tag]
            let bytes = try await send(.get, key, headers: headers, largest: part, "a part of '\(key.shortened)'").body
            guard Int64(bytes.count) == end - done else {
                throw S3Failure(.unexpected, "The store gives \(bytes.count) bytes of '\(key.shortened)' for a range of \(end - done).")
            }
            done = end
            try await body(bytes, done, all)
        }
        return all
    }
}
