// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// Why a call failed. A cancelled call throws `CancellationError` instead.
public struct LandfallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More kinds may follow: keep a `default` when you switch.
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

    public init(_ kind: Kind, detail: String = "") {
        self.kind = kind
        self.detail = detail
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

    public var description: String {
        switch kind {
        case .notStarted: "The client was not started in time. Call start() once, as early as possible."
        case .shutDown: "The client was shut down. Make a new one."
        case .noPaywall(let placement, let network):
            "No paywall for '\(placement)' in time\(network.map { " (\($0))" } ?? ""). "
                + "Bundle a fallback file so that there is always one. \(detail)"
        case .placementUnknown(let placement):
            "The configuration has no placement '\(placement)'. Add it to landfall.yaml or correct the app."
        case .invalidArgument: "\(detail) Nothing was accepted; correct the argument."
        case .refused(.profileErased):
            "This installation was erased on the server. The SDK begins as a new one: call again; nothing else to do."
        case .refused(let code): "The server refused (\(code)): \(detail) Correct the app or the configuration."
        case .unavailable(let code): "The server could not answer (\(code)): \(detail) Try again later."
        case .network(let error): "\(error)"
        case .storageUnavailable: detail
        case .storage: "The SDK's files cannot be used at the moment: \(detail) Try again later."
        }
    }
}
