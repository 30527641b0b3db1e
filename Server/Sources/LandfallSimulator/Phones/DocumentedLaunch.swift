// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// One launch of an app that follows the documented sample: it fetches the default paywall at once, waits until the profile
/// says Apple Ads, then fetches the matching one; when the timer ends it takes the default.
///
/// Below it is an SDK of the kind that the sample calls: it creates the profile, sends the token, fetches the profile every
/// second, and returns a cached or bundled paywall if the network fails.
struct DocumentedLaunch: Sendable {
    /// What such an SDK stores from one launch to the next.
    final class Memory: Sendable {
        fileprivate let isAttributed = Atomic(false)
        fileprivate let hasTargetedPaywall = Atomic(false)
        fileprivate let credential = DocumentedCalls.freshCredential()
    }

    let server: URL
    let memory: Memory
    /// The sample's timer, and how long each of the SDK's paywall calls tries.
    let timeout: Duration
    /// The app bundles the paywall for everyone.
    var hasBundle = true

    func run(token: String, after tokenDelay: Duration?, isOffline: Bool) async -> PhoneOutcome {
        let requests = RequestCount()
        let calls = DocumentedCalls(
            server: server, transport: ObservedTransport(isOnline: !isOffline, counting: requests),
            credential: memory.credential
        )
        let begun = ContinuousClock.now
        let (profiles, sight) = AsyncStream.makeStream(of: Bool.self)
        let activity = Task { await activate(calls, PhoneToken(value: token, delay: tokenDelay)) { sight.yield($0) } }
        let isAppleAds = await paywallOrDefault(calls, profiles)
        let outcome = PhoneOutcome(isAppleAds: isAppleAds, elapsed: begun.duration(to: .now), requests: requests.value)
        activity.cancel()
        await activity.value
        return outcome
    }

    // MARK: The sample

    /// - Returns: whether the paywall is for users of Apple Ads; nil if there is no paywall.
    private func paywallOrDefault(_ calls: DocumentedCalls, _ profiles: AsyncStream<Bool>) async -> Bool? {
        let prefetch = Task { await paywall(.default, calls) }
        let targeted = await inTime {
            for await isAttributed in profiles where isAttributed { break }
            return await paywall(.matching, calls)
        }
        guard let targeted else { return await prefetch.value }
        prefetch.cancel()
        return targeted
    }

    /// Nil after the timeout. This module imports none of the server's, so the server's `withTimeout` is not here.
    private func inTime<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { race in
            race.addTask { await work() }
            race.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            defer { race.cancelAll() }
            return await race.next() ?? nil
        }
    }

    // MARK: The SDK below

    private func activate(
        _ calls: DocumentedCalls, _ adToken: PhoneToken, onProfile: @escaping @Sendable (_ isAttributed: Bool) -> Void
    ) async {
        let learn: @Sendable (Bool) -> Void = { isAttributed in
            if isAttributed { memory.isAttributed.store(true, ordering: .relaxed) }
            onProfile(isAttributed)
        }
        if memory.isAttributed.load(ordering: .relaxed) { onProfile(true) }
        await untilDone { learn(try await calls.isAttributed()) }
        await withTaskGroup { group in
            group.addTask {
                guard let token = try? await adToken.token() else { return }
                await untilDone { try await calls.report(token: token, onProfile: learn) }
            }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    if let isAttributed = try? await calls.isAttributed() { learn(isAttributed) }
                }
            }
        }
    }

    private func paywall(_ audience: PaywallAnswer.AudienceKind, _ calls: DocumentedCalls) async -> Bool? {
        let fetched: Bool?? = await inTime {
            let answer = Mutex<Bool?>(nil)
            await untilDone {
                let isAppleAds = try await calls.isAppleAdsPaywall(audience)
                answer.withLock { $0 = isAppleAds }
            }
            return answer.withLock { $0 }
        }
        if let fetched = fetched ?? nil {
            if fetched { memory.hasTargetedPaywall.store(true, ordering: .relaxed) }
            return fetched
        }
        if audience == .matching, memory.hasTargetedPaywall.load(ordering: .relaxed) { return true }
        return hasBundle ? false : nil
    }

    /// Tries once a second, unless there is no network at all.
    private func untilDone(_ body: () async throws -> Void) async {
        while !Task.isCancelled {
            do { return try await body() } catch let error as TransportError where error.kind == .offline { return } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
