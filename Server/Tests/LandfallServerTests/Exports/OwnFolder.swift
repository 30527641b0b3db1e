// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A folder of one test.
struct OwnFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}

/// Lines of progress.
final class ToldLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock(\.self) }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
