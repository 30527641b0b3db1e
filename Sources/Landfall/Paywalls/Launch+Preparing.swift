// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

// What is ready before a call waits for it.
extension Launch {
    func prepare(_ placements: [PlacementID]) {
        let locale = configuration.device.locale
        change { state, at in
            let (isAsked, profile) = (state.firstOpen.willAsk, state.profileState.wire?.id)
            for placement in placements {
                state.paywalls.prepare(PaywallKey(placement, .matching, locale: locale), isAsked: isAsked, by: profile, at.now)
            }
        }
    }

    func cachedPaywall(_ wish: PaywallWish) -> PaywallResult? {
        let asked = time.now()
        let decisionID = makeKey().rawValue
        let key = PaywallKey(wish.placement, wish.kind, locale: wish.locale ?? configuration.device.locale)
        return change { state, at in
            guard state.isStarted, !state.isOver else { return nil }
            var call = PaywallCall(
                id: state.nextID(), key: key, cache: wish.cache, asked: asked, deadline: asked + .seconds(5), waiter: .nobody,
                wakeAt: asked, decisionID: decisionID)
            let now = state.circumstances(at.now)
            guard let result = state.paywalls.resultAtOnce(&call, now, at.date) else { return nil }
            state.log.add(.debug, call.inWords(.success(result), now: at.now), .paywalls)
            if let decision = state.decision(of: call, .success(result)) { keep(decision, &state, at) }
            return result
        }
    }
}
