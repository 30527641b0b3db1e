// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallSQLite

/// Where a backup goes, or where it comes from.
enum BackupPlace {
    /// A whole path.
    case file(String)
    /// A folder or a bucket, where backups have names of their own.
    case store(ExportPlace)

    /// - Parameters:
    ///   - file: the argument; nil if the option names a place.
    ///   - option: the name of the option.
    /// - Throws: a sentence for the operator.
    init(file: String?, place: String?, option: String) throws {
        switch (file, place) {
        case (let file?, nil): self = .file(Self.path(file))
        case (nil, let place?):
            switch ExportPlace(place) {
            case .bucket(let bucket)?: self = .store(.bucket(bucket))
            case .folder(let path)?: self = .store(.folder(Self.path(path)))
            case nil: throw ValidationError("--\(option) is '\(place.shortened)'; it has to be a folder, or s3://BUCKET/PREFIX.")
            }
        case (nil, nil): throw ValidationError("Name a FILE, or a folder or bucket with --\(option).")
        default: throw ValidationError("FILE and --\(option) name two places. Use one of them.")
        }
    }

    static func path(_ text: String) -> String {
        URL(filePath: text, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath + "/")).standardized.path
    }

    /// A folder of this machine for a copy on its way to a bucket or from it.
    /// - Parameter named: by the operator.
    static func scratch(_ named: String?, for store: StorePlace) -> String {
        if let named { return path(named) }
        guard case .folder(let folder) = store else { return FileManager.default.temporaryDirectory.standardized.path }
        // A store is often the largest that its disk has room for.
        var place = URL(filePath: path(folder.path))
        while !FileManager.default.fileExists(atPath: place.path), place.path != "/" { place.deleteLastPathComponent() }
        return place.path
    }
}
