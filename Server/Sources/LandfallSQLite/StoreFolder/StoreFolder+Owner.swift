// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Files that root creates in a store's folder are given to the folder's owner, whose server has to open them.
extension StoreFolder {
    /// - Parameter descriptor: of a file that this process has just created.
    func adopt(_ descriptor: Int32) {
        var (folder, file) = (stat(), stat())
        // A file with two names may belong to somebody else.
        guard geteuid() == 0, stat(path, &folder) == 0, fstat(descriptor, &file) == 0, file.st_uid != folder.st_uid,
            file.st_mode & S_IFMT == S_IFDIR || file.st_nlink == 1
        else { return }
        // Without the permission the owner stays; 'landfall doctor' reports it.
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    func adopt(folder: StoreFolder) {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        adopt(descriptor)
        close(descriptor)
    }

    /// The store's files that belong to another user than the folder, and the numbers of both.
    package var strangers: [(path: String, owner: UInt32, folder: UInt32)] {
        guard let own = Self.owner(of: path) else { return [] }
        return files.compactMap { file in
            Self.owner(of: file.path).flatMap { $0 == own ? nil : (file.path, $0, own) }
        }
    }

    /// True if this user may not read the folder, or a folder around it.
    package var isClosed: Bool { access(path, R_OK | X_OK) != 0 && errno == EACCES }

    /// The user that the folder belongs to; nil if it is missing or the system does not tell.
    package var owner: UInt32? { Self.owner(of: path) }

    /// Why a file of the folder cannot be opened; names the owner if that is the reason.
    static func reason(_ error: Int32, opening path: String) -> String {
        let text = String(cString: strerror(error))
        guard error == EACCES, let owner = owner(of: path), owner != geteuid() else { return text }
        return "\(text): it belongs to user \(owner), and this is user \(geteuid())"
    }

    private static func owner(of path: String) -> UInt32? {
        var facts = stat()
        return stat(path, &facts) == 0 ? UInt32(facts.st_uid) : nil
    }
}
