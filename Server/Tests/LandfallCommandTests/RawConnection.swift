// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A TCP connection to this machine that sends exactly the given bytes, well-formed or not. Blocks; every wait has a limit.
final class RawConnection {
    struct Failure: Error { let call: String, code: Int32 }

    struct Answer {
        let status: Int
        /// Names in lower case.
        let headers: [String: String]
        let body: Data

        /// The stable word of an error body.
        var code: String? {
            let object = try? JSONSerialization.jsonObject(with: body) as? [String: [String: Any]]
            return object?["error"]?["code"] as? String
        }
    }

    let descriptor: Int32
    private var rest = Data()

    /// - Parameter receiveBuffer: in bytes; a small one makes a reader that does not read felt soon.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        // A server that another test starts meanwhile must not keep a copy.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The descriptor is closed by `deinit`, which runs after this throw too.
        guard connected == 0 else { throw Failure(call: "connect", code: errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Data(text.utf8)) }

    /// Sends all of it, or fails after five seconds in which the server took nothing.
    func send(_ data: Data) throws {
        var sent = 0
        while sent < data.count {
            guard isReady(for: POLLOUT, milliseconds: 5_000) else { throw Failure(call: "send", code: ETIMEDOUT) }
            let count = data[(data.startIndex + sent)...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, min($0.count, 64 * 1024), Self.noSignal)
            }
            guard count > 0 else { throw Failure(call: "send", code: errno) }
            sent += count
        }
    }

    /// The next answer, by its `Content-Length`; nil if the server closed instead, or was silent for that long.
    func answer(within milliseconds: Int32 = 10_000) -> Answer? {
        let separator = Data("\r\n\r\n".utf8)
        while true {
            if let end = rest.range(of: separator) {
                let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let headers = lines.dropFirst().reduce(into: [String: String]()) { headers, line in
                    guard let colon = line.firstIndex(of: ":") else { return }
                    headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                        in: .whitespaces)
                }
                let length = headers["content-length"].flatMap { Int($0) } ?? 0
                if rest.distance(from: end.upperBound, to: rest.endIndex) >= length {
                    let body = rest[end.upperBound..<(end.upperBound + length)]
                    rest = Data(rest[body.endIndex...])
                    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                    return Answer(status: status, headers: headers, body: Data(body))
                }
            }
            guard let more = read(within: milliseconds), !more.isEmpty else { return nil }
            rest += more
        }
    }

    /// The received bytes: nil if none came in that time, empty if the server has closed.
    func read(within milliseconds: Int32) -> Data? {
        guard isReady(for: POLLIN, milliseconds: milliseconds) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : Data()
    }

    /// True once the server has cut the connection, although nothing is read here.
    func isCut(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        return Foundation.poll(&poll, 1, milliseconds) > 0
    }

    private func isReady(for events: Int32, milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return Foundation.poll(&poll, 1, milliseconds) > 0
    }

    #if canImport(Glibc)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
    private static let noSignal: Int32 = 0
    #endif
}

extension RawConnection {
    static let installHeader = "Landfall-Profile: 0198f0c2-7b1a-7c3d-8e4f-000000000001.\(String(repeating: "A", count: 43))\r\n"

    /// A well-formed head around any body.
    static func request(_ method: String, _ path: String, body: Data? = nil, profile: String = installHeader) -> Data {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer pk_demo\r\n" + profile
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        return Data((text + "\r\n").utf8) + (body ?? Data())
    }

    /// A normal call beside the test's work: true if the server answers it.
    static func isServed(port: Int, within milliseconds: Int32 = 5_000) -> Bool {
        guard let connection = try? RawConnection(port: port) else { return false }
        guard (try? connection.send(request("GET", "/v1/placements/onboarding/paywall?audience=default"))) != nil else {
            return false
        }
        return connection.answer(within: milliseconds)?.status == 200
    }
}
