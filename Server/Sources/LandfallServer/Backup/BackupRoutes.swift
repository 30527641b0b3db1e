// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallStore
import LandfallWire

/// `/v1/backups`, for commands only: the server that holds the store copies it, as its own user.
package struct BackupRoutes: Sendable {
    struct Asked: Codable {
        let file: String
        var replace: Bool?
        /// The folder as the command sees it; absent from older commands.
        var folder: FolderIdentity?
    }

    package let backup: StoreBackup
    /// Ends a backup when the server stops.
    package let draining: Draining

    package init(backup: StoreBackup, draining: Draining) {
        (self.backup, self.draining) = (backup, draining)
    }

    /// `POST`: answers when the copy is complete.
    @Sendable package func make(_ request: Request, context: AppContext) async throws -> Answer<StoreBackup.Outcome> {
        let asked = try await request.decoded(as: Asked.self, upTo: 16 * 1024)
        guard asked.file.hasPrefix("/") else { throw RequestError.invalid("file", "a path from the root.") }
        if let seen = asked.folder, seen != FolderIdentity(around: asked.file) {
            throw RequestError(
                .invalidValue,
                "The server sees another folder at the path of '\(asked.file)' than this command: a service has its own /tmp, a container its own files. Nothing was written. Name a folder that both see, such as one in the folder of the store.")
        }
        do {
            return Answer(try await draining.ending { [backup] in try await backup.make(asked.file, isReplacing: asked.replace ?? false) })
        } catch is StoreBackup.UnderWay {
            throw RequestError(.busy, "Another backup of this store is not done yet. Try again when it is.", retryAfter: 10)
        } catch let error as StoreCopyError {
            if case .noRoom = error { throw RequestError(.diskLow, "\(error)") }
            throw RequestError(.invalidValue, "\(error)")
        }
    }

    /// `GET`: the progress; an empty list if no backup runs.
    @Sendable package func progress(_ request: Request, context: AppContext) -> Answer<[StoreBackup.Progress]> {
        Answer(backup.progress.map { [$0] } ?? [])
    }
}
