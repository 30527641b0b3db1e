// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import LandfallRules
package import LandfallServer

/// Where the files of an export are written.
package protocol ExportDestination: Sendable {
    func begin(_ name: String) async throws -> any ExportWriting
}

/// A file that is being written. Readers see it under its name only when all of it is there.
package protocol ExportWriting {
    mutating func append(_ part: [UInt8]) async throws
    /// Replaces an older file of that name.
    mutating func finish() async throws
    /// Leaves nothing behind; an older file of that name stays.
    func discard() async
}

/// A folder of this machine.
package struct ExportFolder: ExportDestination {
    private let url: URL
    /// The folder is made if it is not there.
    private let isMade: Bool

    /// Deletes what killed exports left there.
    package init(_ url: URL, isMade: Bool = true) {
        (self.url, self.isMade) = (url, isMade)
        ExportFile.clear(url)
    }

    package func begin(_ name: String) throws -> any ExportWriting { try ExportFile(name, in: url, isMade: isMade) }
}

/// A place in a bucket. Nothing is written on this machine.
package struct ExportBucket: ExportDestination {
    private let place: S3Place
    private let bucket: S3Bucket

    package init(_ place: S3Place, _ access: S3Access, by http: any OutboundHTTP, time: ServerTime = .live) {
        self.place = place
        bucket = S3Bucket(place.bucket, access, by: http, time: time)
    }

    package func begin(_ name: String) -> any ExportWriting { ExportObject(upload: S3Upload(bucket, place.key(name))) }
}

private struct ExportObject: ExportWriting {
    var upload: S3Upload

    mutating func append(_ part: [UInt8]) async throws { try await upload.append(part) }
    mutating func finish() async throws { try await upload.finish() }
    func discard() async { await upload.abort() }
}
