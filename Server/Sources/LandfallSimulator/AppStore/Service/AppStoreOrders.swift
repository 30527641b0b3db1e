// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird

/// The simulator's own paths: what a customer would do on a phone.
struct AppStoreOrders {
    private static let longest = 65_536

    let store: SimulatedAppStore
    let clock: @Sendable () -> Int64

    private struct Bought: Encodable { let transactionId, jws: String }
    private struct Refund: Codable { let transactionId: String }
    private struct Fault: Encodable { let error: String }

    func add(to router: Router<BasicRequestContext>) {
        router.post("sim/purchases") { request, _ in
            await answering {
                let purchase = try await body(SimulatedPurchase.self, of: request, such: Self.purchase)
                let (id, jws) = try await store.buy(purchase, at: clock())
                return try .json(Bought(transactionId: id, jws: jws))
            }
        }
        router.post("sim/refunds") { request, _ in
            await answering {
                let refund = try await body(Refund.self, of: request, such: #"{"transactionId": "…"}"#)
                try await store.refund(refund.transactionId, at: clock())
                return try .json(refund)
            }
        }
    }

    private static let purchase =
        #"{"productId": "sim.trial=7d", "storefront": "USA", "priceMilliunits": 9990, "currency": "USD"}, with "appAccountToken" if there is one"#

    private func body<Value: Decodable>(_ type: Value.Type, of request: Request, such form: String) async throws -> Value {
        guard let bytes = try? await request.body.collect(upTo: Self.longest) else {
            throw SimulatedAppStore.Refusal.badRequest("The body has more than \(Self.longest) bytes.")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
        } catch {
            throw SimulatedAppStore.Refusal.badRequest("The body cannot be read\(error.place). Write \(form).")
        }
    }

    private func answering(_ body: () async throws -> Response) async -> Response {
        do {
            return try await body()
        } catch let refusal as SimulatedAppStore.Refusal {
            let (status, sentence): (HTTPResponse.Status, String) =
                switch refusal {
                case .badRequest(let sentence): (.badRequest, sentence)
                case .unknown(let sentence): (.notFound, sentence)
                case .conflict(let sentence): (.conflict, sentence)
                case .full(let sentence): (.serviceUnavailable, sentence)
                }
            return (try? .json(Fault(error: sentence), status: status)) ?? Response(status: status)
        } catch {
            return Response(status: .internalServerError)
        }
    }
}

extension Error {
    /// The field that is wrong, if one is.
    fileprivate var place: String {
        switch self as? DecodingError {
        case .keyNotFound(let key, _): ": '\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.last.map { ": '\($0.stringValue)' has another type" } ?? ""
        default: ""
        }
    }
}

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value)))
        )
    }
}
