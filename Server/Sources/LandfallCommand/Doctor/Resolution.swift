// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Foundation
import LandfallServer
import LandfallStore
import NIOCore

/// The addresses of hosts: those of `--resolve`, else those of the system's resolver.
struct Resolution: Sendable {
    /// `HOST=ADDRESS[:PORT]` of `--resolve`: checks a machine before the domains lead to it.
    struct Override: Hashable, Sendable {
        let host: String
        let address: String
        let port: Int?

        init?(_ text: String) {
            guard let sign = text.firstIndex(of: "=") else { return nil }
            host = text[..<sign].lowercased()
            var rest = text[text.index(after: sign)...]
            if rest.first == "[", let end = rest.firstIndex(of: "]") {
                address = String(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
            } else {
                address = String(rest.prefix { $0 != ":" })
                rest = rest.dropFirst(address.count)
            }
            port = rest.first == ":" ? Int(rest.dropFirst()) : nil
            guard !host.isEmpty, rest.isEmpty || port.map({ (1...65_535).contains($0) }) == true,
                (try? SocketAddress(ipAddress: address, port: 0)) != nil
            else { return nil }
        }
    }

    static let patience = Duration.seconds(4)

    let overrides: [Override]

    /// - Returns: an empty list if the resolver knows no address; nil if it did not answer in time.
    func addresses(of host: String, port: Int) async -> [SocketAddress]? {
        if let override = overrides.first(where: { $0.host == host.lowercased() }) {
            return (try? SocketAddress(ipAddress: override.address, port: override.port ?? port)).map { [$0] } ?? []
        }
        let found = await abandoning(after: Self.patience, by: .live) { await onThread { Self.ask(host) } }
        return found?.compactMap { try? SocketAddress(ipAddress: $0, port: port) }
    }

    /// Blocks for as long as the system's resolver takes.
    private static func ask(_ host: String) -> [String] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var next = list
        while let info = next {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(name.count)
            if getnameinfo(info.pointee.ai_addr, info.pointee.ai_addrlen, &name, length, nil, 0, NI_NUMERICHOST) == 0 {
                let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if !found.contains(text) { found.append(text) }
            }
            next = info.pointee.ai_next
        }
        return found
    }
}
#endif
