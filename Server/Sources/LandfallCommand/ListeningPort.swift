// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import NIOCore

/// A port to listen on, and what to tell whoever chose one that cannot be had.
struct ListeningPort {
    let number: Int

    init(_ number: Int) throws {
        guard (0...65_535).contains(number) else {
            throw ValidationError("The port is \(number); it has to be 0…65535, where 0 picks a free one.")
        }
        self.number = number
    }

    /// Runs the body and turns a failure to listen into a sentence with a way out.
    func explaining(host: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as IOError {
            throw ListeningFailure(host: host, port: number, error: error)
        }
    }
}

struct ListeningFailure: Error, CustomStringConvertible {
    let host: String
    let port: Int
    let error: IOError

    var description: String {
        "Could not listen on \(Serving.address(host: host, port: port)): \(String(cString: strerror(error.errnoCode))). "
            + "Choose another port with --port (0 picks a free one), or another address with --host."
    }
}
