// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// Why a call failed. A cancelled call throws `CancellationError` instead.
///
/// The text says what happened and what to do. "Nothing is queued" means that the SDK does not repeat the call: the app decides.
public struct LandfallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More kinds may follow: keep an `@unknown default` or a `default` when you switch. From Swift 6.2.3 on the compiler warns without.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum Kind: Hashable, Sendable {
        /// The deadline passed before `start()`.
        case notStarted
        /// The client was shut down.
        case shutDown
        /// Nothing arrived in time and nothing is stored or bundled; with the last network error, if there was one.
        case noPaywall(PlacementID, network: TransportError?)
        /// The server's configuration has no such placement, and none is stored or bundled.
        case placementUnknown(PlacementID)
        /// An argument breaks a documented limit; nothing was accepted.
        case invalidArgument
        /// The server refused the call. The same call gets the same answer.
        case refused(ErrorCode)
        /// The server could not do it now; the same call may succeed later.
        case unavailable(ErrorCode)
        /// The network failed. Worth another try.
        case network(TransportError)
        /// The SDK's own files cannot be read or written at the moment. Worth another try.
        case storage
        /// The SDK's files belong to another process, to another client or, in an app extension, to the app:
        /// ``StorageUnavailable``. This client answers only from the server, and stores nothing.
        case storageUnavailable
    }

    public let kind: Kind
    /// What happened; for a developer.
    public let detail: String
    /// The SDK keeps what the call asked for, and does it as soon as it can.
    private var isKept = false

    public init(_ kind: Kind, detail: String = "") {
        self.kind = kind
        self.detail = detail
    }

    /// The same error of a call whose request is stored and repeated.
    var kept: LandfallError {
        var kept = self
        kept.isKept = isWorthRetrying
        return kept
    }

    /// True if the same call may succeed later without a change to the app or the configuration.
    public var isWorthRetrying: Bool {
        switch kind {
        case .noPaywall, .unavailable, .network, .storage: true
        // The SDK begins a new installation; the next call belongs to it.
        case .refused(.profileErased): true
        case .notStarted, .shutDown, .placementUnknown, .invalidArgument, .refused, .storageUnavailable: false
        }
    }

    public var description: String { advice.map { "\(whatHappened) \($0)" } ?? whatHappened }

    /// Without what to do.
    var whatHappened: String {
        switch kind {
        case .notStarted: "The client was not started in time."
        case .shutDown: "The client was shut down."
        case .noPaywall(let placement, let network):
            "No paywall for '\(placement)' in time\(network.map { " (\($0))" } ?? "")."
        case .placementUnknown(let placement): "The configuration has no placement '\(placement)'."
        case .invalidArgument, .storageUnavailable: detail.asSentence
        case .refused(.profileErased): "This installation was erased on the server. The SDK begins as a new one."
        case .refused(let code): sentence("The server refused (\(code))")
        case .unavailable(let code): sentence("The server could not answer (\(code))")
        case .network(let error): error.description
        case .storage: sentence("The SDK's files cannot be used at the moment")
        }
    }

    private func sentence(_ beginning: String) -> String { (detail.isEmpty ? beginning : "\(beginning): \(detail)").asSentence }

    /// What the app's developer or the app can do.
    private var advice: String? {
        switch kind {
        case .notStarted: "Call start() once, as early as possible."
        case .shutDown: "Make a new one."
        case .noPaywall: "Bundle a fallback file so that there is always one."
        case .placementUnknown: "Add it to landfall.yaml or correct the app."
        case .invalidArgument: "Nothing was accepted; correct the argument."
        case .refused(.profileErased): "Call again; nothing else to do."
        case .refused: "Correct the app or the configuration."
        // The detail says it.
        case .storageUnavailable: nil
        case .unavailable, .network, .storage:
            isKept ? "The request is kept, and the SDK tries again; nothing to do." : "Nothing is queued: call again later."
        }
    }
}
