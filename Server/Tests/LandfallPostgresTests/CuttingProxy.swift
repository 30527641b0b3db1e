// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Passes bytes between clients and a server's socket, and cuts one connection at its COMMIT.
final class CuttingProxy: Sendable {
    enum Cut: Sendable {
        /// The server does not get it.
        case beforeCommit
        /// The server gets it and answers; the client gets no answer.
        case afterCommit
        /// The same, and the server is away until ``isRefusing`` is false.
        case forLonger
    }

    #if canImport(Darwin)
    private static let (stream, noSignal) = (SOCK_STREAM, Int32(0))
    #else
    private static let (stream, noSignal) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
    #endif

    /// Of the proxy's own socket.
    let folder: String
    let isArmed = Atomic(false)
    /// Further connections are closed at once.
    let isRefusing = Atomic(false)
    private let made = Atomic(0)
    private let server: String
    private let cut: Cut
    private let listener: Int32

    var cuts: Int { made.load(ordering: .sequentiallyConsistent) }

    init(to server: String, _ cut: Cut) throws {
        (self.server, self.cut) = (server, cut)
        folder = "/tmp/landfall-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        listener = socket(AF_UNIX, Self.stream, 0)
        let isBound = Self.withAddress("\(folder)/.s.PGSQL.5432") { bind(listener, $0, $1) } == 0
        guard isBound, listen(listener, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in serve(client) }
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, Self.stream, 0)
        defer {
            close(client)
            close(upstream)
        }
        guard !isRefusing.load(ordering: .sequentiallyConsistent), Self.withAddress(server, { connect(upstream, $0, $1) }) == 0
        else { return }
        var watched = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
        ]
        var isLast = false
        while poll(&watched, 2, -1) > 0 {
            if watched[0].revents != 0 {
                guard let bytes = Self.read(client) else { return }
                if bytes.firstRange(of: Array("\0COMMIT\0".utf8)) != nil,
                    isArmed.compareExchange(expected: true, desired: false, ordering: .sequentiallyConsistent).exchanged
                {
                    if cut == .forLonger { isRefusing.store(true, ordering: .sequentiallyConsistent) }
                    made.add(1, ordering: .sequentiallyConsistent)
                    if cut == .beforeCommit { return }
                    isLast = true
                }
                Self.write(bytes, upstream)
            }
            if watched[1].revents != 0 {
                guard let bytes = Self.read(upstream), !isLast else { return }
                Self.write(bytes, client)
            }
        }
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.noSignal) }
            if count <= 0 { return }
            start += count
        }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
