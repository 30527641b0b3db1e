// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallDatabase
import LandfallWire

/// `/v1/backups`, for commands only: the server that holds the store copies it, as its own user.
struct BackupRoutes: Sendable {
    struct Asked: Codable {
        let file: String
        var replace: Bool?
    }

    let backup: StoreBackup

    /// `POST`: answers when the copy is complete.
    @Sendable func make(_ request: Request, context: AppContext) async throws -> Answer<StoreBackup.Outcome> {
        let asked = try await request.decoded(as: Asked.self, upTo: 16 * 1024)
        guard asked.file.hasPrefix("/") else { throw RequestError.invalid("file", "a path from the root.") }
        do {
            return Answer(try await backup.make(asked.file, isReplacing: asked.replace ?? false))
        } catch is StoreBackup.UnderWay {
            throw RequestError(.busy, "Another backup of this store is not done yet. Try again when it is.", retryAfter: 10)
        } catch let error as StoreCopyError {
            throw RequestError(.invalidValue, "\(error)")
        }
    }

    /// `GET`: the progress; an empty list if no backup runs.
    @Sendable func progress(_ request: Request, context: AppContext) -> Answer<[StoreBackup.Progress]> {
        Answer(backup.progress.map { [$0] } ?? [])
    }
}
