// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// `GET /v1/webhooks`.
package struct WebhookEndpointsDocument: Codable, Sendable {
    package struct Endpoint: Codable, Sendable {
        package let id: String
        /// Its place in the file, from 1.
        package let number: Int
        /// Of its address: the rest may contain a password.
        package let host: String
        package let types: [String]
        /// `on`, `failing` or `off`.
        package let state: String
        package let offSinceMilliseconds: Int64?
        package let failingSinceMilliseconds: Int64?
        package let lastFailure: String?
        package let waiting: Int64
        package let oldestWaitingMilliseconds: Int64?
        package let givenUp: Int64
    }

    package let endpoints: [Endpoint]
    /// Messages that had to make room for newer ones.
    package let dropped: Int64

    package init(_ endpoints: [Webhooks.Endpoint], dropped: Int64) {
        self.endpoints = endpoints.map { Endpoint($0) }
        self.dropped = dropped
    }
}

extension WebhookEndpointsDocument.Endpoint {
    init(_ endpoint: Webhooks.Endpoint) {
        let state = endpoint.state
        self.init(
            id: endpoint.endpoint.key, number: endpoint.number, host: endpoint.endpoint.host,
            types: WebhookType.allCases.filter(endpoint.endpoint.types.contains).map(\.rawValue),
            state: state.offAtMs != nil ? "off" : state.failingSinceMs != nil ? "failing" : "on", offSinceMilliseconds: state.offAtMs,
            failingSinceMilliseconds: state.failingSinceMs, lastFailure: state.lastFailure, waiting: endpoint.waiting.count,
            oldestWaitingMilliseconds: endpoint.waiting.oldestMs, givenUp: state.givenUp)
    }
}

/// A delivery, as lists and single answers have it.
package struct WebhookDeliveryDocument: Codable, Sendable {
    package let id: String
    package let type: String
    package let sequence: Int64
    /// `waiting`, `delivered`, `given_up` or `off`.
    package let state: String
    package let createdAtMilliseconds: Int64
    package let attempts: Int64
    package let lastTryAtMilliseconds: Int64?
    package let nextTryAtMilliseconds: Int64?
    package let status: Int64?
    package let failure: String?
    package let answer: String?
    /// Not in lists.
    package let body: String?

    package init(_ delivery: WebhookDelivery, isWhole: Bool) {
        id = delivery.id
        type = delivery.type
        sequence = delivery.sequence
        state = delivery.ending?.rawValue ?? "waiting"
        createdAtMilliseconds = delivery.createdAtMs
        attempts = delivery.attempts
        lastTryAtMilliseconds = delivery.lastTryAtMs
        nextTryAtMilliseconds = delivery.nextTryAtMs
        status = delivery.status
        failure = delivery.failure
        answer = delivery.answer
        body = isWhole ? delivery.body : nil
    }
}

/// A page of them, the newest first.
package struct WebhookDeliveriesDocument: Codable, Sendable {
    package let deliveries: [WebhookDeliveryDocument]
    /// `before` of the next page; nil on the last one.
    package let next: String?

    package init(deliveries: [WebhookDeliveryDocument], next: String?) { (self.deliveries, self.next) = (deliveries, next) }
}

/// Messages in the order of their numbers, each as the endpoint would get it now.
package struct WebhookMessagesDocument: Codable, Sendable {
    package struct Message: Codable, Sendable {
        package let id: String
        package let type: String
        package let sequence: Int64
        package let headers: [String: String]
        /// Byte for byte.
        package let body: String
    }

    /// `after` of the next call.
    package let sequence: Int64
    package let messages: [Message]
}

package struct WebhookReplayAnswer: Codable, Sendable { package let count: Int }
package struct WebhookChangeAnswer: Codable, Sendable { package let changed: Bool }
