// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension Launch {
    /// Writes the changed files, and again those that changed meanwhile. A write that the storage refuses is tried again later.
    func storeFiles() async {
        while let names = takeDirty() {
            do {
                // Accepted items come first, and need no turn once their file is open.
                if names.contains(.outbox) { try await outbox.storeOrThrow() }
                try await turns.run { try await write(names) }
            } catch {
                // The final write stores it.
                if Task.isCancelled { return note { $0.files.putBack(names) } }
                storeAgain(names, after: error)
                return
            }
        }
    }

    /// The last work of a client: stores the state for the next launch, and releases the files.
    func storeAtLast() async {
        await operations.waitUntilOver()
        await outbox.store()
        let names = note { state in state.install == nil ? [] : state.files.takeStorable(isOpen: true) }
        if !names.isEmpty { try? await turns.run { try await write(names) } }
        await storage.close()
    }

    /// In its turn: data that was forgotten during the wait is not written.
    private func write(_ names: Set<StorageName>) async throws {
        let (isErased, stored, cache, experiments, rules, purchases, sales) = read {
            (
                $0.erasure.isErased, $0.stored, $0.paywalls.cache, $0.experiments, $0.links.routing.known, $0.purchases.memory,
                $0.sales.memory
            )
        }
        guard !isErased else { return }
        // One file that cannot be written costs only its own content.
        var failure: (any Error)?
        func write(_ value: some StoredValue, to name: StorageName) async {
            guard names.contains(name) else { return }
            do { try await StoredFile(name, in: storage).write(value) } catch { failure = failure ?? error }
        }
        await write(stored, to: .profile)
        await write(cache, to: .paywalls)
        await write(experiments, to: .experiments)
        await write(purchases, to: .purchases)
        await write(sales, to: .sales)
        if let rules { await write(rules, to: .linkRules) }
        if let failure { throw failure }
    }

    private func takeDirty() -> Set<StorageName>? {
        note { state in
            let names = state.files.takeStorable(isOpen: state.install != nil)
            guard names.isEmpty else { return names }
            state.files.storing = RetryableOperation()
            return nil
        }
    }

    /// What ends each line about files that the storage refuses.
    static let filesAdvice =
        "The SDK tries again. If this goes on, check the free space of the disk and the permissions of the SDK's folder."

    private func storeAgain(_ names: Set<StorageName>, after error: any Error) {
        // The reason why the files are not ours is logged where they are opened.
        if read({ $0.files.storing.retry.failures == 0 }), !(error is StorageUnavailable || error is CancellationError) {
            let text = "The SDK's files cannot be written. \(error.inWords) What was accepted is kept in memory. \(Self.filesAdvice)"
            configuration.log(LogLine(.warning, text, category: .storage))
        }
        change { state, at in
            state.failed(.storing, error, now: at.now)
            state.files.failedToStore(names, now: at.now, chance: at.chance)
        }
    }

    /// Items that are only in memory are written at once in the background.
    func storeLater() { change { $0.files.storeOutboxNow() } }

    /// - Parameter append: one write to an open file; false if no file is open, or the write failed.
    func store(_ append: () throws -> Bool) {
        do {
            if try !append() { storeLater() }
        } catch {
            configuration.log(LogLine(.error, "A link was not stored. \(error.inWords)", category: .links))
        }
    }

    /// After ``end()`` nothing is accepted: another client may have the files, and nobody would send it.
    /// - Parameter what: begins the line in the log.
    func isOver(for what: String, _ category: LogLine.Category) -> Bool {
        guard read(\.isOver) else { return false }
        let text = "\(what) was not accepted: this client was shut down. Make a new client, and use that one."
        configuration.log(LogLine(.warning, text, category: category))
        return true
    }

    /// Drops items that are no longer needed.
    func forget(_ ids: Set<String>) {
        if ids.isEmpty { return }
        if read(\.isOver) { return outbox.letGo(ids) }
        outbox.remove(ids)
        storeLater()
    }
}
