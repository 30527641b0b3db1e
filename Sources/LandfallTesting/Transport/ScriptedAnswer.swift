// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall
internal import LandfallWire

/// A scripted server's answer: status, headers and a body that is complete, or that the test writes step by step.
public struct ScriptedAnswer: Sendable {
    enum Body: Sendable {
        case whole(Data)
        case written(ScriptedBody)
    }

    /// The HTTP status, 200 by default.
    public var status: Int
    /// Names in lower case. Contains `landfall-version`, except for an answer that imitates another server.
    public var headers: [String: String]
    let body: Body

    /// An answer that is complete at once.
    public init(status: Int = 200, headers: [String: String] = Self.landfallHeaders, body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = .whole(body)
    }

    /// An answer whose head is sent at once and whose body the test writes.
    public init(status: Int = 200, headers: [String: String] = Self.landfallHeaders, body: ScriptedBody) {
        self.status = status
        self.headers = headers
        self.body = .written(body)
    }

    /// The headers that distinguish a Landfall server's answer from another server's.
    public static let landfallHeaders = [WireHeader.version.lowercased(): "1", "content-type": "application/json"]

    /// A success whose body is this value.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> ScriptedAnswer {
        ScriptedAnswer(status: status, body: try WireCoding.encode(value))
    }

    /// An error of a Landfall server.
    public static func problem(_ status: Int, _ code: ErrorCode, message: String = "Scripted.") throws -> ScriptedAnswer {
        try json(ErrorBody(error: .init(code: code, message: message)), status: status)
    }

    /// First-open lines, all at once.
    public static func lines(_ lines: [FirstOpenLine]) throws -> ScriptedAnswer {
        var body = Data()
        for line in lines { body += try WireCoding.encode(line) + Data("\n".utf8) }
        return ScriptedAnswer(body: body)
    }

    /// An answer like a captive portal's or a proxy's page: without `Landfall-Version`.
    public static func stranger(_ status: Int, body: String = "<html></html>") -> ScriptedAnswer {
        ScriptedAnswer(status: status, headers: ["content-type": "text/html"], body: Data(body.utf8))
    }
}
