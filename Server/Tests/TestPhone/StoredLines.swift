// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files in which the SDK keeps waiting items. An item that is accepted without a write on the caller's thread is there a
/// moment later.
struct StoredLines: Sendable {
    private let folder: URL
    private let before: Set<String>

    init(in folder: URL) {
        self.folder = folder
        before = Self.names(in: folder)
    }

    /// Returns once this launch has a file that it appends to.
    func waitUntilOpen() async throws {
        while Self.names(in: folder).isSubset(of: before) { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// - Returns: whether a line with these words was seen. It may have been and gone, once the server had taken it.
    func hold(_ words: String...) async -> Bool {
        for _ in 0..<500 {
            for name in Self.names(in: folder) {
                let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
                let lines = text.split(separator: "\n")
                if lines.contains(where: { line in words.allSatisfy { line.contains($0) } }) { return true }
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    private static func names(in folder: URL) -> Set<String> {
        Set(((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasPrefix("outbox") })
    }
}
