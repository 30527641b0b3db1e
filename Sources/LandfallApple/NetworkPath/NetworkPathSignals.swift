// SPDX-License-Identifier: Apache-2.0
#if canImport(Network)
internal import Dispatch
public import Landfall
internal import Network

/// Reports whether there is a network path, whether the person's settings prevent one, and whether the person asked to save
/// data (Low Data Mode). Expensive paths make no difference: a first open is a few kilobytes.
public final class NetworkPathSignals: PlatformSignals {
    public init() {}

    public func signals() -> AsyncStream<PlatformSignal> {
        let (stream, voice) = AsyncStream<PlatformSignal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            // A path that a connection would bring up, for example by a VPN on demand, is worth trying.
            let isSatisfied = path.status != .unsatisfied
            let isDenied = !isSatisfied && path.unsatisfiedReason.isDenial
            voice.yield(.networkPath(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: path.isConstrained))
        }
        monitor.start(queue: DispatchQueue(label: "landfall.path"))
        let held = Locked(monitor)
        voice.onTermination = { _ in held.withLock { $0.cancel() } }
        return stream
    }
}

extension NWPath.UnsatisfiedReason {
    /// True if only a change of the person's settings can bring a path. Flight mode and a dead spot give no reason: both may
    /// end at any moment.
    fileprivate var isDenial: Bool {
        switch self {
        case .cellularDenied, .wifiDenied, .localNetworkDenied: return true
        case .notAvailable: return false
        default:
            if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) { return self == .vpnInactive }
            return false
        }
    }
}
#endif
