// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
import LandfallStore

/// A stream in a bucket. A segment is one request; a whole copy is made on this machine first and sent in parts.
package struct StreamBucket: StreamPlace {
    /// More than a segment has.
    private static let largestSegment = 32 << 20
    /// Of a listing: a million files, which are many days where nothing may be deleted. A restore has to read all their names.
    private static let mostPages = 1_000

    private let place: S3Place
    private let bucket: S3Bucket
    /// A folder of this machine for whole copies.
    private let scratch: String

    package init(_ place: S3Place, _ access: S3Access, by http: any OutboundHTTP, scratch: String, time: ServerTime = .live) {
        (self.place, self.scratch) = (place, scratch)
        bucket = S3Bucket(place.bucket, access, by: http, time: time)
    }

    package var description: String { "\(place)" }

    package func files() async throws -> [StreamFile] {
        let folder = place.key("")
        return try await bucket.keys(beginning: place.key(StreamGeneration.beginning), pages: Self.mostPages).compactMap { StreamFile(String($0.dropFirst(folder.count))) }
    }

    package func write(_ bytes: [UInt8], as file: StreamFile) async throws { try await bucket.put(bytes, as: place.key(file.name)) }

    package func receive(_ file: StreamFile, copying: @escaping @Sendable (String) async throws -> Int64) async throws -> (bytes: Int64, path: String?) {
        let path = scratch + "/stream-to-upload.sqlite"
        // Left by a server that was killed.
        unlink(path)
        defer { unlink(path) }
        let bytes = try await copying(path)
        guard let handle = FileHandle(forReadingAtPath: path) else { throw StreamFileError(path: path, reason: String(cString: strerror(errno))) }
        defer { try? handle.close() }
        let part = S3Upload.part(of: bytes)
        var upload = S3Upload(bucket, place.key(file.name), part: part)
        do {
            while let data = try handle.read(upToCount: part), !data.isEmpty { try await upload.append(Array(data)) }
            try await upload.finish()
        } catch {
            await upload.abort()
            throw error
        }
        return (bytes, nil)
    }

    package func read(_ file: StreamFile) async throws -> [UInt8]? {
        do {
            return try await bucket.send(.get, place.key(file.name), largest: Self.largestSegment, "the download of '\(file.name)'").body
        } catch let failure as S3Failure where failure.kind == .noObject { return nil }
    }

    package func fetch(_ file: StreamFile, into path: String) async throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw StreamFileError(path: path, reason: String(cString: strerror(errno))) }
        defer { try? handle.close() }
        try await bucket.read(place.key(file.name)) { bytes, _, _ in try handle.write(contentsOf: bytes) }
    }

    package func remove(_ file: StreamFile) async throws { try await bucket.remove(place.key(file.name)) }
}
