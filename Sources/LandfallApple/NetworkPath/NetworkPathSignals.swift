// SPDX-License-Identifier: Apache-2.0
#if canImport(Network)
internal import Dispatch
public import Landfall
internal import Network

/// Says whether there is a way to the network, and whether the person asked to save data on it (Low Data Mode). Whether it is
/// expensive makes no difference: a first open is a few kilobytes.
public final class NetworkPathSignals: PlatformSignals {
    public init() {}

    public func signals() -> AsyncStream<PlatformSignal> {
        let (stream, voice) = AsyncStream<PlatformSignal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            // A path that a connection would bring up, a VPN on demand for example, is worth trying.
            voice.yield(.networkPath(isSatisfied: path.status != .unsatisfied, isConstrained: path.isConstrained))
        }
        monitor.start(queue: DispatchQueue(label: "landfall.path"))
        let held = Locked(monitor)
        voice.onTermination = { _ in held.withLock { $0.cancel() } }
        return stream
    }
}
#endif
