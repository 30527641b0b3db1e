// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// For alerts and crash reports: `localizedDescription` is the text of ``LandfallError/description``.
extension LandfallError: LocalizedError {
    public var errorDescription: String? { description }
}

/// For Objective-C, and for reports that group errors by domain and number. Both stay as they are in later releases.
extension LandfallError: CustomNSError {
    public static let errorDomain = "LandfallErrorDomain"

    /// 1 not started, 2 shut down, 3 no paywall, 4 unknown placement, 5 invalid argument, 6 refused, 7 server unavailable, 8 network,
    /// 9 storage, 10 storage unavailable.
    public var errorCode: Int {
        switch kind {
        case .notStarted: 1
        case .shutDown: 2
        case .noPaywall: 3
        case .placementUnknown: 4
        case .invalidArgument: 5
        case .refused: 6
        case .unavailable: 7
        case .network: 8
        case .storage: 9
        case .storageUnavailable: 10
        }
    }

    /// The text; the server's code under `LandfallServerCode`, and the network's error under `NSUnderlyingErrorKey`, if there is one.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        switch kind {
        case .refused(let code), .unavailable(let code): info["LandfallServerCode"] = code.rawValue
        case .network(let error), .noPaywall(_, .some(let error)): info[NSUnderlyingErrorKey] = error as NSError
        default: break
        }
        return info
    }
}

extension TransportError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TransportError: CustomNSError {
    public static let errorDomain = "LandfallTransportErrorDomain"

    /// 1 offline, 2 timed out, 3 connection failed.
    public var errorCode: Int {
        switch kind {
        case .offline: 1
        case .timedOut: 2
        case .connectionFailed: 3
        }
    }

    /// The text: an error inside another one's information is asked for nothing else on Linux.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
