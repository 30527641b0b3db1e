// SPDX-License-Identifier: Apache-2.0
import Foundation
import ServiceLifecycle

/// Tells the system's service manager the state of this process (`Type=notify` of systemd) by a datagram to the manager's socket.
/// Does nothing if the manager named no socket.
struct ServiceNotice: Service {
    private let socket: String?

    init(socket: String? = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"]) { self.socket = socket }

    func ready() { send("READY=1") }

    /// The configuration is being read again; ``ready()`` ends this state.
    func reloading() { send("RELOADING=1") }

    /// Says that the process stops, as soon as it is asked to.
    func run() async throws {
        try await gracefulShutdown()
        send("STOPPING=1")
    }

    /// - Parameter text: a few bytes; a full queue of the manager must not block the call.
    private func send(_ text: String) {
        guard let socket, let address = Self.address(of: socket) else { return }
        #if canImport(Glibc)
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        let descriptor = Darwin.socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var (place, bytes) = (address.place, Array(text.utf8))
        withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, address.length)
            }
        }
    }

    /// - Parameter name: a path, or `@` and a name that no file system has (Linux).
    private static func address(of name: String) -> (place: sockaddr_un, length: socklen_t)? {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard let first = bytes.first, bytes.count < MemoryLayout.size(ofValue: place.sun_path) else { return nil }
        // A name without a file begins with a zero and ends with its length.
        if first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let before = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: place.sun_path)
        return (place, socklen_t(before + bytes.count))
    }
}
