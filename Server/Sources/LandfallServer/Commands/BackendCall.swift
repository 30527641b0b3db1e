// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// A backend's request, independent of the way to the server.
package struct BackendCall: Sendable {
    package let method: String
    /// Path and query.
    package let target: String
    /// JSON, unless ``fields`` give another type; may be empty.
    package let body: [UInt8]
    /// Header fields besides those that every call has.
    package var fields: [String: String] = [:]

    package init(_ method: String, _ target: String, body: [UInt8] = [], fields: [String: String] = [:]) {
        (self.method, self.target, self.body, self.fields) = (method, target, body, fields)
    }

    /// With a value as a JSON body.
    package init(_ method: String, _ target: String, json value: some Encodable) throws {
        self.init(method, target, body: Array(try WireCoding.encode(value)))
    }
}

/// An error answer, with the server's code and message.
package struct BackendRefusal: Error, Hashable, CustomStringConvertible {
    package let status: Int
    /// Nil if another server answered, such as a proxy.
    package let code: String?
    package let message: String
    /// The whole answer, as JSON; empty if another server made it.
    package var document: [UInt8] = []

    package var description: String { message }

    /// - Throws: the refusal, for any status but 2xx.
    package static func check(status: Int, _ body: [UInt8]) throws {
        guard !(200..<300).contains(status) else { return }
        if let problem = try? WireCoding.decode(ErrorBody.self, from: Data(body)).error {
            throw BackendRefusal(status: status, code: problem.code.rawValue, message: problem.message, document: body)
        }
        throw BackendRefusal(
            status: status, code: nil, message: "The server answered with the status \(status). Check its address.")
    }
}
