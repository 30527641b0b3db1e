// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LandfallError {
    /// Any error of a call as the SDK's own; nil for a cancellation.
    init?(any error: any Error) {
        switch error {
        case is CancellationError: return nil
        case let error as LandfallError: self = error
        case let error as TransportError: self.init(.network(error))
        default: self.init(.network(TransportError(.connectionFailed, detail: error.inWords)))
        }
    }

    /// The server refused, and will refuse again.
    var isRefusal: Bool {
        switch kind {
        // The installation ends with it: a new one asks again.
        case .refused(.profileErased): false
        case .refused, .placementUnknown: true
        default: false
        }
    }

    /// True if the server refused the caller and not the content: with another key or secret it would accept the same content.
    var isAboutTheCaller: Bool {
        switch kind {
        case .refused(.invalidKey), .refused(.profileRequired), .refused(.profileMismatch), .refused(.profileErased): true
        default: false
        }
    }
}
