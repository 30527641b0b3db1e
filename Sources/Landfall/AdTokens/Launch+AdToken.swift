// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Asks the platform. A call that hangs is never awaited by anybody: only this operation waits, and it can be cancelled.
    func askForToken() async {
        guard let source = configuration.adTokens else { return }
        do {
            let token = try await abandoning { try await source.token() }
            change { $0.adToken.found(token) }
        } catch is CancellationError where Task.isCancelled {
            return
        } catch {
            change { state, at in state.adToken.failed(error as? AdTokenError, now: at.now, chance: at.chance) }
        }
    }

    /// Brings the server a token that was announced, or the news that none will come.
    func post(_ token: AdToken) async {
        guard let install = read(\.install) else { return }
        let result = await Result {
            let body = try WireCoding.encode(token)
            let request = self.calls.request("POST", WirePath.adToken, body: body, as: install)
            return try await self.calls.answer(ProfileAnswer.self, to: request)
        }
        change { state, at in
            state.adToken.posting.operation = nil
            switch result {
            case .success(let answer):
                state.adToken.posting.retry.reset()
                state.delivered(token)
                state.learn(answer.profile, answer.attribution, now: at.now)
            case .failure(let error):
                guard let error = LandfallError(any: error) else { return }
                if error.isRefusal {
                    state.adToken.delivered(token)
                } else {
                    state.adToken.posting.retry.failed(now: at.now, chance: at.chance)
                }
                state.noticed(error, now: at.now)
            }
        }
    }
}
