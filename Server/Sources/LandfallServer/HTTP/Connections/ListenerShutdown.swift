// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
package import NIOCore
import Synchronization

/// Closes a listener so that no client loses a connection that the system has accepted already. The system resets the connections that
/// wait for a listener when it closes.
///
/// On Linux the listener first takes no new connection: a filter drops its packets, and a client's system sends the first packet again
/// after a second, to the next server or into a refusal. Then the waiting connections are taken. Elsewhere the listener only closes.
package final class ListenerShutdown: Sendable {
    /// Enough for an event loop to take what waits.
    package static let pause = Duration.milliseconds(100)

    private let listener = Mutex<(any Channel)?>(nil)

    package init() {}

    package func opened(_ channel: any Channel) { listener.withLock { $0 = channel } }

    /// - Returns: false if nothing listens, or the system has no such filter.
    package func takeNoMore() async -> Bool {
        #if os(Linux)
        guard let listener = listener.withLock({ $0 }) else { return false }
        let attached = listener.eventLoop.flatSubmit { () -> EventLoopFuture<Void> in
            guard let socket = listener as? any SocketOptionProvider else { return listener.eventLoop.makeFailedFuture(NoSocket()) }
            var drop = Instruction(code: Self.returns, ifTrue: 0, ifFalse: 0, value: 0)
            // The system copies both before the call returns; on the loop, the call is made at once.
            return withUnsafeMutablePointer(to: &drop) { instruction in
                socket.unsafeSetSocketOption(
                    level: .socket, name: .init(rawValue: SO_ATTACH_FILTER), value: Program(count: 1, instructions: instruction))
            }
        }
        return (try? await attached.get()) != nil
        #else
        return false
        #endif
    }

    #if os(Linux)
    private struct NoSocket: Error {}

    /// `BPF_RET | BPF_K`: ends the program with its value, the length that is kept of the packet.
    private static let returns: UInt16 = 0x06

    /// `struct sock_filter`
    private struct Instruction {
        var code: UInt16
        var ifTrue: UInt8
        var ifFalse: UInt8
        var value: UInt32
    }

    /// `struct sock_fprog`
    private struct Program: @unchecked Sendable {  // Used by one thread, within one call.
        var count: UInt16
        var instructions: UnsafeMutablePointer<Instruction>
    }
    #endif
}
