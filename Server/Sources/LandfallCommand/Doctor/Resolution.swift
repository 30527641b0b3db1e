// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import LandfallServer
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

    let overrides: [Override]

    /// - Returns: an empty list if the resolver knows no address; nil if it did not answer in time.
    func addresses(of host: String, port: Int) async -> [SocketAddress]? {
        if let override = overrides.first(where: { $0.host == host.lowercased() }) {
            return (try? SocketAddress(ipAddress: override.address, port: override.port ?? port)).map { [$0] } ?? []
        }
        return await HostAddresses.find(host)?.compactMap { try? SocketAddress(ipAddress: $0, port: port) }
    }
}
#endif
