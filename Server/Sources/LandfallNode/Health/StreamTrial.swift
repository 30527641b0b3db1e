// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
package import LandfallServer
import LandfallWire
import NIOCore

/// `GET /v1/stream-trial`: a few lines with pauses between them, with the headers of a first open. A call through the public address
/// shows whether a proxy holds lines back. Stores nothing.
package struct StreamTrialRoute: Sendable {
    package static let path = "/v1/stream-trial"
    static let lines = 4
    static let pause = Duration.milliseconds(300)
    /// How many run at once on one node. Only operators need them.
    static let most = 16

    package let time: ServerTime
    package let running: AsyncSemaphore
    package let addresses: CallerAddresses

    package init(time: ServerTime, running: AsyncSemaphore, addresses: CallerAddresses) {
        (self.time, self.running, self.addresses) = (time, running, addresses)
    }

    @Sendable package func stream(_ request: Request, context: AppContext) throws -> Response {
        guard let permit = running.permitIfFree() else {
            throw RequestError(
                .busy, "This node tests as many streams as it may. Try again in a few seconds.", retryAfter: 2, limit: .streamTrials)
        }
        let way = addresses.way(of: request, context).rawValue
        return Response(status: .ok, headers: FirstOpenRoutes.headers, body: ResponseBody { [time] writer in
            defer { permit.giveBack() }
            for number in 1...Self.lines {
                if number > 1 { try await time.sleep(Self.pause) }
                // As long as the first line of a first open, to show also a proxy that collects bytes before it sends any.
                let padding = number == 1 ? String(repeating: " ", count: FirstOpenStream.firstLineLength) : ""
                let said = number == 1 ? #""way":"\#(way)","# : ""
                try await writer.write(ByteBuffer(string: #"{"line":\#(number),"of":\#(Self.lines),\#(said)"padding":"\#(padding)"}"# + "\n"))
            }
            try await writer.finish(nil)
        })
    }
}

/// The way of a call to the server, for its operator. The answer contains no address.
package enum CallerWay: String, Sendable, Codable {
    /// From an address that is not a trusted proxy.
    case direct
    /// From a trusted proxy that does not say for whom it calls.
    case unsaid
    /// With the address that the caller itself wrote.
    case claimed
    /// With the address that a trusted proxy wrote.
    case forwarded

    /// An address that is reserved for documentation. If the server believes a caller who writes it into `X-Forwarded-For`, callers can
    /// write any address.
    package static let triedAddress = "192.0.2.77"
}

extension CallerAddresses {
    func way(of request: Request, _ context: AppContext) -> CallerWay {
        guard proxies.contains(ClientAddress(context.channel.remoteAddress)) else { return .direct }
        guard request.headers.contains(.xForwardedFor) else { return .unsaid }
        return client(of: request, context) == ClientAddress(CallerWay.triedAddress) ? .claimed : .forwarded
    }
}
