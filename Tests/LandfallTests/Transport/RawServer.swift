// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Glibc)
import Glibc
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
import Darwin
private let streamSocket = SOCK_STREAM
#endif

/// A server that writes exactly the given bytes, on a real socket of the loopback interface.
///
/// Each connection runs the script on its own thread, because the script blocks.
final class RawServer: Sendable {
    let url: URL
    private let listener: Int32

    init(_ script: @escaping @Sendable (RawConnection) -> Void) throws {
        let listener = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            return bind(listener, address, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, address, &size) == 0
        }
        guard isReady else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.listener = listener
        url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!
        Thread.detachNewThread {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                Thread.detachNewThread { script(RawConnection(descriptor)) }
            }
            #if canImport(Glibc)
            close(listener)
            #endif
        }
    }

    /// On Linux the thread that accepts closes the listener itself: closed here, its number could be another server's by the
    /// next `accept`, which would take that server's connection.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        #if canImport(Darwin)
        close(listener)
        #endif
    }
}

/// One connection of a ``RawServer``; closed when the script lets go of it.
final class RawConnection: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads one request: its head and as many bytes of body as the head announces. nil when the client has left.
    func readRequest() -> String? {
        var received = Data()
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let length =
                    head.split(separator: "\r\n").lazy
                    .map { $0.lowercased() }.first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) } ?? 0
                if received.count - end.upperBound >= length { return String(decoding: received, as: UTF8.self) }
            }
            guard let bytes = read() else { return nil }
            received += bytes
        }
    }

    /// Blocks until the client has closed its side.
    func waitUntilClosed() { while read() != nil {} }

    /// - Returns: false once the client has closed the connection.
    @discardableResult
    func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) >= 0
    }

    /// One chunk of a body that is sent with `Transfer-Encoding: chunked`.
    func writeChunk(_ text: String) { write(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n") }

    /// Makes the close a reset, as a crashed server or a broken network does.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private func read() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : nil
    }
}
