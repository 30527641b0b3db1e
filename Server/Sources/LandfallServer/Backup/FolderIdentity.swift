// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Which folder a path names for this process. Services with a private /tmp and containers have other folders under the same path.
public struct FolderIdentity: Hashable, Sendable, Codable {
    private let device: Int64
    private let number: Int64

    /// Nil if there is no such folder, or it is not to be seen.
    public init?(of path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        (device, number) = (Int64(truncatingIfNeeded: facts.st_dev), Int64(truncatingIfNeeded: facts.st_ino))
    }

    /// Of the folder in which a file is or will be.
    public init?(around file: String) { self.init(of: URL(filePath: file).deletingLastPathComponent().path) }
}
