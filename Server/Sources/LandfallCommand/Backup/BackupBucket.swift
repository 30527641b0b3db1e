// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer

/// Backups in a bucket.
struct BackupBucket {
    let place: S3Place
    private let bucket: S3Bucket

    init(_ place: S3Place, _ access: S3Access, by http: any OutboundHTTP) {
        self.place = place
        bucket = S3Bucket(place.bucket, access, by: http)
    }

    /// Sends a file part by part. The object appears when all of it is there.
    func send(_ file: String, as name: String, bytes: Int64) async throws {
        guard let handle = FileHandle(forReadingAtPath: file) else { throw BackupNotSeen(file: file, bytes: bytes, seen: nil) }
        defer { try? handle.close() }
        let part = S3Upload.part(of: bytes)
        var upload = S3Upload(bucket, place.key(name), part: part), progress = TenthsTold(what: "uploaded")
        do {
            var done: Int64 = 0
            while let data = try handle.read(upToCount: part), !data.isEmpty {
                try await upload.append(Array(data))
                done += Int64(data.count)
                progress.tell(done, of: bytes)
            }
            guard done == bytes else { throw BackupNotSeen(file: file, bytes: bytes, seen: done) }
            try await upload.finish()
        } catch {
            await upload.abort()
            throw error
        }
    }

    /// The names of backups in the place. Others, of which a bucket may have very many, are not listed.
    private func names() async throws -> [String] {
        let keys = try await bucket.keys(beginning: place.key(BackupName.beginning)), folder = place.key("")
        return keys.map { String($0.dropFirst(folder.count)) }.filter(BackupName.isBackup)
    }

    /// - Parameter own: the name that was just written.
    /// - Returns: how many were deleted.
    func deleteOlder(keeping count: Int, and own: String) async throws -> Int {
        let older = BackupName.older(try await names(), keeping: count, and: own)
        for name in older { try await bucket.remove(place.key(name)) }
        return older.count
    }

    /// Writes a backup into a file, part by part: the one that the place names, else the newest in it.
    /// - Returns: which one.
    func fetch(into file: String) async throws -> String {
        var key = place.prefix
        if !key.hasSuffix(".sqlite") {
            guard let newest = BackupName.newest(try await names()) else { throw NoBackup(place: "\(place)") }
            key = place.key(newest)
        }
        guard FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: file)
        else { throw NoScratch(path: file) }
        defer { try? handle.close() }
        var progress = TenthsTold(what: "downloaded")
        try await bucket.read(key) { bytes, done, all in
            try handle.write(contentsOf: bytes)
            progress.tell(done, of: all)
        }
        return "\(S3Place.scheme)\(place.bucket)/\(key)"
    }
}

/// Prints each tenth of a task once.
private struct TenthsTold {
    let what: String
    private var told: Int64 = 0

    init(what: String) { self.what = what }

    mutating func tell(_ done: Int64, of all: Int64) {
        let tenth = all > 0 ? done * 10 / all : 10
        guard tenth > told else { return }
        told = tenth
        Output.remark("\(tenth * 10) % \(what)")
    }
}

struct NoBackup: Error, CustomStringConvertible {
    let place: String
    var description: String { "There is no backup in '\(place)'. Their names are those that 'landfall backup --to' gives, such as landfall-20261128T031500Z.sqlite." }
}
