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
            guard state.platform.isActivated, state.hasTokenSource, !state.adToken.isUnderWay,
                state.collection(stored: stored?.collection) == .full
            else { return }
            _ = state.adToken.begin(.first, now: at.now)
            perform(.askForToken, &state, at)
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
    /// Decides whether this launch sends the server an ad token.
    mutating func planToken(now: Duration) {
        guard platform.isActivated else { return }
        let left = stored.freshTokenLaunchesLeft ?? StoredProfileState.freshTokenLaunches
        let plan = AdTokenState.Plan(
            collection: collection, hasSource: hasTokenSource, stored: stored.attribution,
            isDelivered: stored.isTokenDelivered == true, launchesLeft: left
        )
        // Asked ahead, while the new installation was being stored.
        if plan == .first, adToken.isUnderWay { return adToken.installed(now: now) }
        if let operation = adToken.begin(plan, now: now) { cancelled.append(operation) }
    }

    /// The server has this token, or knows that there is none.
    mutating func delivered(_ token: AdToken) {
        let isNews = adToken.delivered != token
        adToken.delivered(token)
        guard isNews, case .value = token else { return }
        if stored.isTokenDelivered != true {
            stored.isTokenDelivered = true
            files.changed(.profile)
        }
        // Only launches that reach the server count.
        guard adToken.isInBackground, !hasSpentFreshToken else { return }
        hasSpentFreshToken = true
        stored.freshTokenLaunchesLeft = max(0, (stored.freshTokenLaunchesLeft ?? StoredProfileState.freshTokenLaunches) - 1)
        files.changed(.profile)
    }

    /// The server may have lost its state, for example because it was restored. Then it gets another token, and nothing waits
    /// for it.
    mutating func bringTokenAgain(now: Duration) {
        guard profileState.said == .unavailable(.noToken), !adToken.isUnderWay else { return }
        stored.isTokenDelivered = nil
        if adToken.plan == .none(.noToken), hasTokenSource, collection == .full, platform.isActivated {
            _ = adToken.begin(.background, now: now)
        }
    }
}
