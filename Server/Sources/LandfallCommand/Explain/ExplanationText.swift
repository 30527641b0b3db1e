// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
import LandfallWire

/// An explanation for a terminal: one line says the outcome, then each audience with its comparisons beside their values.
struct ExplanationText {
    let explanation: Explanation

    init(_ explanation: Explanation) { self.explanation = explanation }

    var lines: [String] { outcome + [""] + audiences + exposure + late }

    private var outcome: [String] {
        let who = "install \(explanation.install)   profile \(explanation.profile)   configuration \(explanation.revision)"
        return [choice, who] + draw + test
    }

    private var choice: String {
        let chosen = explanation.chosen
        let paywall = chosen.paywall.map { "the paywall '\($0)'" } ?? "no paywall"
        let verb = explanation.asOf == .now ? "sees" : "was to see"
        let end = explanation.final ? "" : ", until an answer that is on its way changes it"
        let reason = explanation.testDevice?.reason.map { "as \($0) says" }
        return "\(explanation.placement): \(verb) \(paywall), "
            + (reason ?? "as the first audience that matches is '\(chosen.audience)'") + end + "."
    }

    /// How an experiment decided.
    private var draw: [String] {
        guard let draw = explanation.draw, let experiment = explanation.chosen.experiment else { return [] }
        let variation = explanation.chosen.variation.map { "variation \($0)" } ?? "no variation"
        let place = "bucket \(draw.bucket) of the \(draw.namespace) draw with salt \(draw.salt)"
        let buckets = draw.from.flatMap { from in draw.to.map { ", whose buckets are \(from) up to \($0)" } } ?? ""
        let reason =
            switch draw.step {
            case .override: "the configuration chooses it"
            case .stored: "it was stored before; \(place)"
            case .holdout: "the unit is in the holdout: \(place)\(buckets)"
            case .layer: "the unit is outside the experiment's range of its layer: \(place)\(buckets)"
            case .drawn: "\(place)\(buckets)"
            }
        return ["Experiment \(experiment): \(variation), because \(reason)."]
    }

    /// What is said about an install that is a test device.
    private var test: [String] {
        var lines: [String] = []
        if let device = explanation.testDevice {
            let instead = device.instead.paywall.map { "the paywall '\($0)'" } ?? "no paywall"
            lines.append(
                device.step == nil
                    ? "It is the test device '\(device.name)'. Nothing is chosen for it at this placement."
                    : "It is the test device '\(device.name)'. Its audiences would choose \(instead), for '\(device.instead.audience)'.")
        }
        if !explanation.inReports { lines.append("Reports of campaigns and paywalls leave it out.") }
        if explanation.testPayload { lines.append("Apple's answer about it is test data, of developer mode.") }
        return lines
    }

    private var audiences: [String] {
        let conditions = explanation.audiences.flatMap(\.conditions)
        let width = min(60, conditions.map { explanation.rule(of: $0).count }.max() ?? 0)
        let matching = explanation.testDevice?.instead ?? explanation.chosen
        let mark = explanation.testDevice?.step == nil ? "   ← chosen" : "   ← would be chosen"
        return explanation.audiences.flatMap { audience -> [String] in
            let note = audience.audience == matching.audience ? mark : audience.reached ? "" : "   not asked: an audience above it matched"
            let head = "\(Self.mark(audience.result)) \(audience.audience)\(note)"
            return [head] + audience.conditions.map { condition in
                let rule = explanation.rule(of: condition).padded(to: width)
                return "    \(Self.mark(condition.result)) \(rule)   \(remark(condition))"
            }
        }
    }

    private func remark(_ condition: Explanation.Condition) -> String {
        let value = condition.value.map { explanation.text(of: $0, condition.attribute) } ?? "missing"
        let time = explanation.asOf == .exposure && condition.valueIs == .now ? ", the value now: none was kept then" : ""
        switch condition.reason {
        case .compared: return value + time
        case .missing: return "missing" + time
        case .type: return "\(value): of another type, so it counts as missing\(time)"
        case .pending: return condition.value == nil ? "on its way" : "\(value), and an answer on its way may replace it"
        }
    }

    private var exposure: [String] {
        guard let exposure = explanation.exposure else { return [] }
        let paywall = exposure.paywall.map { "'\($0)'" } ?? "no paywall"
        let audience = exposure.audience.map { " for '\($0)'" } ?? ""
        var lines = ["", "The phone showed \(paywall)\(audience) at \(Output.time(exposure.shownAtMilliseconds)): \(Self.origin(exposure.origin))."]
        let delay = exposure.receivedAtMilliseconds - exposure.shownAtMilliseconds
        if delay >= 60_000 { lines.append("It said so \(delay / 60_000) min later; the values are from then.") }
        return lines
    }

    private var late: [String] {
        guard explanation.asOf == .exposure else { return [] }
        guard !explanation.late.isEmpty else { return ["Nothing about the attribution arrived later."] }
        return ["Arrived later:"] + explanation.late.map { late in
            func text(_ value: JSONValue?) -> String { value.map { explanation.text(of: $0, late.attribute) } ?? "missing" }
            return "    \(late.attribute) was \(text(late.then)), is \(text(late.now)) now"
        }
    }

    private static func origin(_ origin: String?) -> String {
        switch origin {
        case "matchingAudience": "the server's answer was there in time"
        case "defaultAudience": "the answer for its audience was not there before the deadline, so everyone's was shown"
        case "cache": "the server's answer was not there before the deadline, so an earlier one was shown"
        case "bundled": "the server was not reached, so what the app brings along was shown"
        case let origin?: "from \(origin)"
        case nil: "it did not say from where"
        }
    }

    private static func mark(_ answer: Explanation.Answer) -> String {
        switch answer {
        case .yes: "✔"
        case .no: "✘"
        case .unknown: "?"
        }
    }
}
