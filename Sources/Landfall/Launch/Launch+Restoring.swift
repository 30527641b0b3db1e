// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    func restorePurchases(within limit: Duration) async throws -> Profile {
        guard let source = configuration.transactions else { throw LandfallError.noStore }
        let deadline = time.now() + limit.withinADay
        return try await until(deadline) { [self] in
            let install = try await knownInstall(until: deadline)
            try checkMayReport(as: install)
            do { try await abandoning { try await source.synchronize() } } catch {
                throw LandfallError(any: error) ?? CancellationError()
            }
            let batches = PurchaseBatch.batches(of: try await history(of: source))
            // Between calls that may change the person: all of it is one person's.
            return try await personTurns.run {
                var answer = try await send(batches[0], .restore, as: install)
                for batch in batches.dropFirst() { answer = try await send(batch, .restore, as: install) }
                return Profile(answer.profile, attribution: read(\.profileState.attribution))
            }
        }
    }

    /// For a call that waits for the answer. It has its turn, because the answer may be about another person.
    func send(_ batch: PurchaseBatch, _ reason: PurchaseReason, as install: Install) async throws -> PurchaseAnswer {
        try checkMayReport(as: install)
        let answer = try await report(batch, reason, as: install)
        try checkMayReport(as: install)
        guard change({ state, at in state.settled(batch, answer, at) }) else {
            throw LandfallError(.network(TransportError(.connectionFailed, detail: "The answer is about other purchases.")))
        }
        return answer
    }

    func checkMayReport(as install: Install) throws {
        if read(\.isOver) { throw LandfallError(.shutDown) }
        guard read(\.install?.id) == install.id else { throw LandfallError(.refused(.profileErased)) }
        guard read(\.collection) != .off else {
            throw LandfallError(.invalidArgument, detail: "Collection is off, so no purchase may be sent.")
        }
    }
}

extension LandfallError {
    static var noStore: LandfallError {
        LandfallError(.invalidArgument, detail: "There is no store: LandfallConfiguration.transactions is nil.")
    }
}
