// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A receiver of webhooks on this machine: takes one message a connection, answers 204, and remembers what it got.
final class LoopbackReceiver: Sendable {
    struct Failure: Error { let call: String, code: Int32 }

    struct Message: Hashable, Sendable {
        /// `webhook-id`
        let id: String
        let body: String
    }

    let port: Int
    private let listener: Int32
    private let got = Mutex<[Message]>([])
    private let isOver = Atomic(false)

    var messages: [Message] { got.withLock(\.self) }

    init() throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
        self.listener = listener
        // A server that the test starts must not keep a copy.
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        guard bound else { throw Failure(call: "bind", code: errno) }
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .acquiring) {
                var poll = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard Foundation.poll(&poll, 1, 200) > 0 else { continue }
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                take(connection)
            }
            close(listener)
        }
    }

    func stop() { isOver.store(true, ordering: .releasing) }

    /// A sender that dies in between has sent nothing.
    private func take(_ connection: Int32) {
        defer { close(connection) }
        var bytes = Data(), buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            if let message = Self.message(in: bytes) {
                // Had before it answers: what it answered is never lost here.
                got.withLock { $0.append(message) }
                let answer = Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)
                #if canImport(Glibc)
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                #else
                _ = send(connection, answer, answer.count, 0)
                #endif
                return
            }
            var poll = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard Foundation.poll(&poll, 1, 5_000) > 0 else { return }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer[..<count]
        }
    }

    /// Nil until the request is whole.
    private static func message(in bytes: Data) -> Message? {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let fields = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n").dropFirst()
            .reduce(into: [String: String]()) { fields, line in
                guard let colon = line.firstIndex(of: ":") else { return }
                fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        let body = bytes[end.upperBound...]
        guard let length = fields["content-length"].flatMap({ Int($0) }), body.count >= length, let id = fields["webhook-id"] else { return nil }
        return Message(id: id, body: String(decoding: body.prefix(length), as: UTF8.self))
    }
}
