// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import NIOCore

/// A port to listen on, and the advice for a port that is not free.
struct ListeningPort {
    let number: Int

    init(_ number: Int) throws {
        guard (0...65_535).contains(number) else {
            throw ValidationError("The port is \(number); it has to be 0…65535, where 0 picks a free one.")
        }
        self.number = number
    }

    /// Runs the body and turns a failure to listen into a sentence with advice.
    /// - Parameter other: a second address that the body listens on; the system does not tell which one failed.
    func explaining(host: String, or other: ListeningAddress? = nil, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as IOError {
            let addresses = [Serving.address(host: host, port: number)] + (other.map { ["\($0.host):\($0.port.number)"] } ?? [])
            throw ListeningFailure(addresses: addresses, error: error)
        }
    }
}

/// `HOST:PORT`; an IPv6 host is in brackets.
struct ListeningAddress {
    let host: String
    let port: ListeningPort

    init(_ text: String) throws {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex, let port = Int(text[text.index(after: colon)...])
        else { throw ValidationError("'\(text)' is not an address; write HOST:PORT, for example 127.0.0.1:9090.") }
        let host = text[..<colon]
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
        self.port = try ListeningPort(port)
    }
}

struct ListeningFailure: Error, CustomStringConvertible {
    let addresses: [String]
    let error: IOError

    var description: String {
        "Could not listen on \(addresses.joined(separator: " or ")): \(String(cString: strerror(error.errnoCode))). "
            + "Choose another port (0 picks a free one) or another address."
    }
}
