// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A path of the store's socket that is short enough for a socket address, valid while this value exists.
package final class StoreSocketPath: Sendable {
    package static let name = "landfall.sock"
    /// The longest socket path that systems and libraries accept, in bytes.
    static let longest = 103

    package let path: String
    private let folder: Int32?

    /// Nil if the folder's path is too long and the system offers no shorter name for it.
    package init?(_ folder: StoreFolder) {
        let shortest = [folder.socket, StoreFolder(URL(filePath: folder.path).standardizedFileURL.path).socket]
            .min { $0.utf8.count < $1.utf8.count } ?? folder.socket
        guard shortest.utf8.count > Self.longest else {
            (path, self.folder) = (shortest, nil)
            return
        }
        #if os(Linux)
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        (path, self.folder) = ("/proc/self/fd/\(descriptor)/\(Self.name)", descriptor)
        #else
        return nil
        #endif
    }

    deinit { if let folder { close(folder) } }
}
