// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension Launch {
    /// Writes what has changed, and again what changed meanwhile. What the storage refuses is tried again later.
    func storeFiles() async {
        let canWrite = storage.isOwner
        while let work = takeDirty() {
            // Another process owns the files: this one appends to the outbox, and no more.
            let refused = work.filter { (canWrite || $0.name == .outbox) && !isWritten($0) }.map(\.name)
            guard refused.isEmpty else {
                return change { state, at in
                    state.dirty.formUnion(refused)
                    state.storing.operation = nil
                    state.storing.retry.failed(now: at.now, chance: at.chance, atMost: .seconds(30))
                }
            }
        }
    }

    private func isWritten(_ change: StoredChange) -> Bool {
        do {
            switch change {
            case .profile(let stored): try StoredFile(.profile, in: storage).write(stored)
            case .paywalls(let cache): try StoredFile(.paywalls, in: storage).write(cache)
            case .outbox: return outbox.store()
            }
            return true
        } catch {
            let now = time.now()
            note { $0.failed(.storing, error, now: now) }
            if read({ $0.storing.retry.failures == 0 }) {
                configuration.log(
                    LogLine(
                        .warning, "The SDK's files cannot be written: \(error). It tries again; nothing to do.",
                        category: .storage))
            }
            return false
        }
    }

    private func takeDirty() -> [StoredChange]? {
        note { state in
            guard !state.dirty.isEmpty else {
                state.storing = Errand()
                return nil
            }
            defer { state.dirty = [] }
            let changes: [StoredChange] = [.profile(state.stored), .paywalls(state.board.cache), .outbox]
            return changes.filter { state.dirty.contains($0.name) }
        }
    }

    /// Something was accepted that could not be written.
    func storeLater(warning isAccepted: Bool = false) {
        if isAccepted {
            let text = "The files cannot be written now. What was accepted is kept in memory until they can; nothing to do."
            configuration.log(LogLine(.warning, text, category: .storage))
        }
        change { $0.dirty.insert(.outbox) }
    }

    func store(_ append: () throws -> Bool) {
        do {
            if try !append() { storeLater(warning: true) }
        } catch {
            configuration.log(LogLine(.error, "A link was not stored. \(error)", category: .links))
        }
    }

    /// Lets items go that nobody needs any more.
    func forget(_ ids: Set<String>) {
        if !ids.isEmpty, !outbox.remove(ids) { storeLater() }
    }
}

/// A file that is to be written, and what belongs into it.
private enum StoredChange {
    case profile(StoredStanding)
    case paywalls(PaywallCache)
    case outbox

    var name: StorageName {
        switch self {
        case .profile: .profile
        case .paywalls: .paywalls
        case .outbox: .outbox
        }
    }
}
