// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    func restorePurchases(within limit: Duration) async throws -> Profile {
        guard let source = configuration.transactions else {
            throw LandfallError(.invalidArgument, detail: "There is no store: LandfallConfiguration.transactions is nil.")
        }
        let deadline = time.now() + limit.withinADay
        return try await until(deadline) { [self] in
            let install = try await knownInstall(until: deadline)
            try checkMayRestore(as: install)
            do { try await abandoning { try await source.synchronize() } } catch {
                throw LandfallError(any: error) ?? CancellationError()
            }
            change { $0.purchases.lookAgain() }
            let batches = PurchaseBatch.batches(of: try await everything(in: source.history()))
            // Between calls that may change the person: all of it is one person's.
            return try await personTurns.run {
                var profile = try await restore(batches[0], as: install)
                for batch in batches.dropFirst() { profile = try await restore(batch, as: install) }
                return profile
            }
        }
    }

    private func restore(_ batch: PurchaseBatch, as install: Install) async throws -> Profile {
        try checkMayRestore(as: install)
        let answer = try await report(batch, .restore, as: install)
        try checkMayRestore(as: install)
        guard change({ state, at in state.restored(batch, answer, at) }) else {
            throw LandfallError(.network(TransportError(.connectionFailed, detail: "The answer is about other purchases.")))
        }
        return profile(answer.profile, read(\.profileState.attribution))
    }

    private func checkMayRestore(as install: Install) throws {
        if read(\.isOver) { throw LandfallError(.shutDown) }
        guard read(\.install?.id) == install.id else { throw LandfallError(.refused(.profileErased)) }
        guard read(\.collection) != .off else {
            throw LandfallError(.invalidArgument, detail: "Collection is off, so no purchase may be sent.")
        }
    }
}
