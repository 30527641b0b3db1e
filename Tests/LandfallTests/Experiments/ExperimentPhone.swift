// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire

extension Assignment {
    static func spring(_ variation: VariationName) -> Assignment {
        Assignment(experiment: "spring-price", epoch: 1, variation: variation, bucket: 402_675)
    }
}

extension PaywallAnswer {
    /// What a variation of an experiment shows: the control `A` and `B` a paywall, `C` nothing.
    static func assigned(
        _ variation: VariationName, final: Bool = true, version: Int64 = 1, epoch: Int64 = 1, profile: String = "anna"
    ) -> PaywallAnswer {
        var answer = untargeted(final: final, version: version, epoch: epoch, profile: profile)
        answer.assignment = .spring(variation)
        if variation == "C" { answer.paywall = nil } else { answer.paywall?.variationId = Assignment.spring(variation).variationId }
        return answer
    }
}

extension Phone {
    /// The server takes every event.
    func takesEvents() {
        server.on("POST", WirePath.events) { request in
            let batch = try WireCoding.decode(EventBatch.self, from: request.body ?? .init())
            return try .json(EventBatchAnswer(results: batch.events.map { .init(id: $0.id, status: .accepted) }))
        }
    }

    /// The events that arrived, in their order.
    var events: [Event] {
        get throws {
            try server.requests("POST", WirePath.events).flatMap { try sent(EventBatch.self, $0).events }
        }
    }

    /// A first open with this final answer, for an organic person.
    func streams(_ answer: PaywallAnswer) throws {
        try streams([
            .profile(.anna(epoch: answer.epoch, version: answer.profileVersion)), .attribution(.notAttributed), .paywall(answer),
            .end(.final),
        ])
    }

    /// The assignments that the latest first open brought.
    var broughtAssignments: [Assignment]? {
        get throws { try sent(FirstOpenRequest.self, firstOpenRequests.last).assignments }
    }
}
