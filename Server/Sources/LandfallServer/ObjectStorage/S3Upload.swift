// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules

/// One object that is written piece by piece. No more than a part of it is in memory, and none of it is on this machine's disk.
///
/// The object appears under its name when all of it is there, and replaces an older one.
package struct S3Upload: Sendable {
    /// Of each part but the last: some stores want all of them equal.
    package static let usualPart = 8 << 20
    /// Of one object.
    private static let mostParts = 10_000
    /// By which an upload finds its own object again.
    private static let markHeader = "x-amz-meta-landfall-upload"

    private let bucket: S3Bucket
    private let key: String
    private let part: Int
    private let mark: String
    private var pending: [UInt8] = []
    /// Nil as long as the object may be sent in one piece.
    private var id: String?
    private var tags: [String] = []

    /// - Parameter part: in bytes; at least 5 MiB at most stores.
    package init(_ bucket: S3Bucket, _ key: String, part: Int = S3Upload.usualPart) {
        self.init(bucket, key, part: part, mark: UUID().uuidString)
    }

    /// - Parameter mark: random.
    init(_ bucket: S3Bucket, _ key: String, part: Int, mark: String) {
        (self.bucket, self.key, self.part, self.mark) = (bucket, key, part, mark)
    }

    /// The size of parts of an object whose size is known.
    package static func part(of bytes: Int64) -> Int {
        let needed = Int(bytes / Int64(mostParts)) + 1
        return max(usualPart, (needed + 0xFFFFF) / 0x100000 * 0x100000)
    }

    private var what: String { "the upload of '\(key.shortened)'" }

    /// - Throws: ``S3Failure``, `CancellationError`
    package mutating func append(_ bytes: [UInt8]) async throws {
        pending += bytes
        var sent = 0
        // The last part has at least a byte.
        while pending.count - sent > part {
            try await send(Array(pending[sent..<sent + part]))
            sent += part
        }
        if sent > 0 { pending.removeFirst(sent) }
    }

    private mutating func send(_ bytes: [UInt8]) async throws {
        let upload: String
        if let id {
            upload = id
        } else {
            upload = try await begin()
            id = upload
        }
        guard tags.count < Self.mostParts else {
            throw S3Failure(.tooLarge, "'\(key.shortened)' has more than \(Self.mostParts) parts of \(part) bytes.")
        }
        let query: [(name: String, value: String)] = [("partNumber", "\(tags.count + 1)"), ("uploadId", upload)]
        let reply = try await bucket.send(.put, key, query: query, body: bytes, what)
        guard let tag = reply.header("etag") else { throw S3Failure(.unexpected, "The store gives no ETag for a part of '\(key.shortened)'.") }
        tags.append(tag)
    }

    private func begin() async throws -> String {
        let headers = ["content-type": "application/octet-stream", Self.markHeader: mark]
        let reply = try await bucket.send(.post, key, query: [(name: "uploads", value: "")], headers: headers, what)
        guard let id = S3Document(reply.body).first("UploadId"), !id.isEmpty else {
            throw S3Failure(.unexpected, "The store gives no id for \(what).")
        }
        return id
    }

    /// - Throws: ``S3Failure``, `CancellationError`. ``abort()`` it then.
    package mutating func finish() async throws {
        guard id != nil else { return try await bucket.put(pending, as: key) }
        try await send(pending)
        pending = []
        let parts = tags.enumerated().map { "<Part><PartNumber>\($0.offset + 1)</PartNumber><ETag>\(S3Document.written($0.element))</ETag></Part>" }
        let body = #"<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"# + parts.joined() + "</CompleteMultipartUpload>"
        let query = [(name: "uploadId", value: id ?? "")]
        do {
            _ = try await bucket.send(.post, key, query: query, headers: ["content-type": "application/xml"], body: Array(body.utf8), what)
        } catch let failure as S3Failure where failure.kind == .noObject {
            // The answer to an earlier try was lost, if the object is this one.
            // A key that may only write is not told.
            guard let object = try? await bucket.object(key), object.header(Self.markHeader) == mark else { throw failure }
        }
        id = nil
    }

    /// Leaves nothing of an unfinished object, if the store can be reached. Cancellation does not stop it, so it is tried once and soon ends.
    package func abort() async {
        guard let id else { return }
        await Task { [bucket, key] in
            _ = try? await bucket.send(.delete, key, query: [(name: "uploadId", value: id)], isLast: true, "the end of an upload")
        }.value
    }
}
