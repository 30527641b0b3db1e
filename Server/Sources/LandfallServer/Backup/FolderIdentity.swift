// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Which folder a path names for this process. Services with a private /tmp and containers have other folders under the same path.
package struct FolderIdentity: Hashable, Sendable, Codable {
    private let device: Int64
    private let number: Int64

    /// Nil if the folder does not exist or cannot be seen.
    package init?(of path: String) {
        let folder = URL(filePath: path).resolvingSymlinksInPath().path
        guard let facts = try? FileManager.default.attributesOfItem(atPath: folder), let device = facts[.systemNumber] as? NSNumber,
            let number = facts[.systemFileNumber] as? NSNumber
        else { return nil }
        (self.device, self.number) = (device.int64Value, number.int64Value)
    }

    /// The identity of the folder in which a file is or will be.
    package init?(around file: String) { self.init(of: URL(filePath: file).deletingLastPathComponent().path) }
}
