// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// One try to bring a message to a destination.
struct AlertSending: Sendable {
    enum Outcome: Hashable, Sendable {
        /// - Parameter answer: what the receiver said.
        case delivered(String)
        case failed(String)
    }

    /// Of one try, whatever its way is.
    static let patience: Duration = .seconds(40)

    private let http: any OutboundHTTP
    /// Nil: this process sends no mail.
    private let mail: (any MailSending)?
    private let address: WebhookAddress
    private let webhooks: WebhookSending
    private let time: ServerTime

    /// - Parameter address: decides where a host may lead.
    init(http: any OutboundHTTP, mail: (any MailSending)?, address: WebhookAddress, time: ServerTime) {
        (self.http, self.mail, self.address, self.time) = (http, mail, address, time)
        webhooks = WebhookSending(http: http, address: address, time: time)
    }

    func send(_ message: AlertMessage, to destination: AlertDestination) async -> Outcome {
        do {
            switch destination.way {
            case .email(let route): return try await letter(message.letter, route)
            case .slack(let url): return try await chat(message.chat, url)
            case .webhook(let endpoint):
                let found = try await address.address(of: endpoint)
                return switch await webhooks.send(message.body, id: message.id, to: endpoint, at: found).outcome {
                case .delivered: .delivered("taken")
                case .gone: .failed("status 410")
                case .failed(let cause): .failed(cause)
                }
            }
        } catch let refusal as WebhookAddress.Refusal {
            return .failed(Self.sentence(refusal))
        } catch {
            return .failed("\(error)")
        }
    }

    private func chat(_ body: [UInt8], _ url: String) async throws -> Outcome {
        var call = OutboundCall(.post, url)
        call.headers = ["Content-Type": "application/json; charset=utf-8"]
        call.body = body
        call.largestReply = WebhookSending.largestReply
        call.patience = WebhookSending.patience
        call.address = try await address.address(of: WebhookEndpoint(url: url, secrets: [], types: [WebhookType]()))
        let reply = try await withTimeout(WebhookSending.patience, by: time) { [http, call] in try await http.send(call) }
        guard let reply else { return .failed("no answer within \(WebhookSending.patience)") }
        return (200..<300).contains(reply.status) ? .delivered("status \(reply.status)") : .failed("status \(reply.status)")
    }

    private func letter(_ letter: Letter, _ route: MailRoute) async throws -> Outcome {
        guard let mail else { return .failed("This process sends no mail. Run the server with 'landfall serve'.") }
        // The file names an address in digits on purpose: a mail server of this machine or network.
        let found = ClientAddress(route.host) != nil ? route.host : try await address.address(ofHost: route.host)
        let receipt = try await withTimeout(Self.patience, by: time) { try await mail.send(letter, by: route, at: found) }
        guard let receipt else { throw MailFailure.tooSlow }
        return .delivered(([receipt.answer] + receipt.refused.map { "Not taken: \($0)" }).joined(separator: " "))
    }

    private static func sentence(_ refusal: WebhookAddress.Refusal) -> String {
        switch refusal {
        case .unknown(let host): "'\(host)' has no address here. Look at the name, and at this machine's DNS."
        case .notPublic(let host, let address):
            "'\(host)' is \(address), which is not on the internet. Use a public address; --webhooks-to-private allows others."
        }
    }
}
