// SPDX-License-Identifier: Apache-2.0
//
// The part of Apple's Network that LandfallApple uses, declared as Swift imports Apple's framework, so that the adapter
// compiles and runs without Apple's SDK. Difference from Apple's: a test sets the path.
public import Dispatch
internal import Foundation

public struct NWPath: Equatable, Sendable {
    public enum Status: Equatable, Hashable, Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public enum UnsatisfiedReason: Equatable, Hashable, Sendable {
        case notAvailable
        case cellularDenied
        case wifiDenied
        case localNetworkDenied
        /// From iOS 17, macOS 14, tvOS 17 and watchOS 10 on.
        case vpnInactive
    }

    public let status: NWPath.Status
    public let unsatisfiedReason: NWPath.UnsatisfiedReason
    public let isExpensive: Bool
    public let isConstrained: Bool

    /// Not in Apple's module.
    public init(
        _ status: NWPath.Status, _ reason: NWPath.UnsatisfiedReason = .notAvailable, isExpensive: Bool = false,
        isConstrained: Bool = false
    ) {
        self.status = status
        unsatisfiedReason = reason
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }
}

final public class NWPathMonitor {
    @preconcurrency final public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?

    public init() {}

    final public func start(queue: DispatchQueue) {
        guard let pathUpdateHandler else { return }
        SimulatedNetwork.add(ObjectIdentifier(self)) { path in queue.async { pathUpdateHandler(path) } }
    }

    final public func cancel() { SimulatedNetwork.remove(ObjectIdentifier(self)) }
}

/// Not in Apple's module: the network of this process. As Apple's, it tells a monitor the path at its start and at changes.
public enum SimulatedNetwork {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var path = NWPath(.satisfied)
    nonisolated(unsafe) private static var monitors: [ObjectIdentifier: @Sendable (NWPath) -> Void] = [:]

    public static var monitorCount: Int { lock.withLock { monitors.count } }

    public static func change(to new: NWPath) {
        let all = lock.withLock {
            path = new
            return Array(monitors.values)
        }
        for tell in all { tell(new) }
    }

    static func add(_ id: ObjectIdentifier, _ tell: @escaping @Sendable (NWPath) -> Void) {
        let now = lock.withLock {
            monitors[id] = tell
            return path
        }
        tell(now)
    }

    static func remove(_ id: ObjectIdentifier) { lock.withLock { monitors[id] = nil } }
}
