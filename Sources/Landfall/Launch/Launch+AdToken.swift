// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Asks the platform. If the call hangs, only this operation waits for it, and it can be cancelled.
    func askForToken() async {
        guard let source = configuration.adTokens else { return }
        do {
            let token = try await abandoning { try await source.token() }
            change { state, at in state.adToken.found(token, now: at.now) }
        } catch is CancellationError where Task.isCancelled {
            return
        } catch {
            change { state, at in
                state.failed(.adToken, error, now: at.now)
                state.adToken.failed(error as? AdTokenError, now: at.now, chance: at.chance)
            }
        }
    }

    /// A new installation is being stored: meanwhile the platform makes the token that it will certainly need.
    func askForTokenAhead(_ stored: StoredProfileState?) {
        change { state, at in
            guard state.platform.isActivated, state.adToken.hasSource, !state.adToken.isUnderWay,
                state.collectionChoice.mode(stored: stored?.collection) == .full
            else { return }
            _ = state.adToken.begin(.first, now: at.now)
            perform(.adToken(.ask), &state, at)
        }
    }

    /// Sends the server a token that was announced, or the report that there is none.
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
                    state.adToken.posting.retry.failed(
                        isAwaited: state.paywalls.isAwaited, now: at.now, chance: at.chance)
                }
                state.noticed(error, by: .adTokenDelivery, now: at.now)
            }
        }
    }
}

extension LaunchState {
    mutating func planToken(now: Duration) {
        guard platform.isActivated else { return }
        if let operation = adToken.begin(collection, stored, now: now) { cancelled.append(operation) }
    }

    mutating func delivered(_ token: AdToken) {
        if adToken.delivered(token, &stored) { files.changed(.profile) }
    }

    /// The server may have lost its state.
    mutating func bringTokenAgain(now: Duration) {
        guard profileState.said == .unavailable(.noToken), !adToken.isUnderWay else { return }
        stored.isTokenDelivered = nil
        adToken.bringAgain(isAllowed: collection == .full && platform.isActivated, now: now)
    }
}
