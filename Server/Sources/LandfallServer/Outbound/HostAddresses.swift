// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// The addresses of hosts, as the system's resolver says them.
package enum HostAddresses {
    package static let patience = Duration.seconds(4)

    /// - Returns: in digits; empty if the resolver knows none; nil if it did not answer in time.
    package static func find(_ host: String) async -> [String]? {
        await abandoning(after: patience, by: .live) { await onThread { ask(host) } }
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
