// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Landfall

// Links, the link from before the installation, and the app's life.

#if canImport(ObjectiveC)
@objc
#endif
extension LFLandfall {
    /// As `recordClick(_:)` of the client.
    /// - Returns: false if the click is not recorded.
    @discardableResult
    public func recordClick(_ url: URL) -> Bool { client.recordClick(url) }

    /// As `handles(_:)` of the client: true for a link of the app's own hosts and schemes.
    public func handles(_ url: URL) -> Bool { client.handles(url) }

    /// As `claimDeferredLink(_:)` of the client, with a pasted text or a typed code.
    /// - Returns: false if the text cannot be a token; then nothing was accepted.
    @discardableResult
    public func claimDeferredLink(_ text: String) -> Bool { client.claimDeferredLink(text) }

    /// As `deferredLink(within:)` of the client. The completion gets the link's destination, or nil: there is none, or it is not
    /// known within the limit and comes through the inbox later. The time limit is in seconds, 0 to a day.
    public func getDeferredLink(timeLimit: TimeInterval, completion: @escaping @MainActor @Sendable (URL?) -> Void) {
        Task { @MainActor [client] in
            guard case .link(let link) = await client.deferredLink(within: Duration(checked: timeLimit)) else {
                return completion(nil)
            }
            link.markTaken()
            completion(link.resolved)
        }
    }

    /// As `observeLinks(for:handler:)` of the client, on the main thread. The link counts as handled when the block `handled` is
    /// called; until then it comes again after the app was killed.
    /// - Returns: keep it as long as links are wanted; releasing it ends the observation.
    public func observeLinks(
        _ handler: @escaping @MainActor @Sendable (_ link: URL, _ handled: @escaping @Sendable () -> Void) -> Void
    ) -> LFLinkObservation {
        LFLinkObservation(client.observeLinks { link, handled in handler(link.resolved, handled) })
    }

    /// As `setFallback(_:)` of the client, with the bundled file's bytes.
    /// - Throws: an error that says what is wrong with the file.
    public func setFallback(_ data: Data) throws { try client.setFallback(data) }

    /// As `defaultPaywall(for:within:)` of the client: the paywall for everyone. The time limit is in seconds, 0 to a day.
    public func getDefaultPaywall(
        _ placement: String, timeLimit: TimeInterval,
        completion: @escaping @MainActor @Sendable (LFPaywallResult?, (any Error)?) -> Void
    ) {
        Task { @MainActor [client] in
            do {
                let result = try await client.defaultPaywall(for: PlacementID(placement), within: Duration(checked: timeLimit))
                completion(LFPaywallResult(result), nil)
            } catch { completion(nil, error) }
        }
    }

    /// As `shutdown()` of the client: ends its work. The completion is called when everything is stored.
    public func shutdown(completion: @escaping @MainActor @Sendable () -> Void) {
        Task { @MainActor [client] in
            await client.shutdown()
            completion()
        }
    }
}

/// An observation of links with an Objective-C name. Releasing it ends the observation.
#if canImport(ObjectiveC)
@objc(LFLinkObservation) @objcMembers
#endif
public final class LFLinkObservation: NSObject, Sendable {
    private let observation: LinkObservation

    init(_ observation: LinkObservation) { self.observation = observation }

    /// Ends the observation; links that were not handled wait for the next listener.
    public func cancel() { observation.cancel() }
}
