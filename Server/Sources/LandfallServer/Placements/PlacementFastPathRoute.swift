// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallRules
import LandfallWire
import NIOCore

/// `GET /v1/placements/{id}/paywall` if the answer need not wait, see ``PlacementRoutes``: the default audience's paywall, and the
/// matching one of an install that is in memory or read at once, if it is certain or newer than what the phone has.
package struct PlacementFastPathRoute: FastPathRoute {
    private let installs: any InstallStore
    private let time: ServerTime
    private let head = PreparedAnswer.ofAPI(.ok, AnswerFields.json)
    private let route: RequestTelemetry.Route

    package init(_ installs: any InstallStore, _ telemetry: RequestTelemetry, _ time: ServerTime) {
        self.installs = installs
        self.time = time
        route = telemetry.route("/v1/placements/{id}/paywall", status: 200)
    }

    package func answer(to request: PlainRequest, in snapshot: Snapshot) -> FastPathAnswer? {
        guard let question = request.withBytes(request.head.target, { $0.flatMap { PaywallQuestion($0) } }) else { return nil }
        let nowMs = time.nowMs()
        guard let caller = FastPathCaller(request, snapshot, nowMs: nowMs),
            var shown = paywall(question, caller, PlacementAnswerBuilder(snapshot: snapshot), nowMs: nowMs)
        else { return nil }
        // The application stores what the answer assigns.
        guard shown.storing == nil else { return nil }
        shown.answer.linkRules = request.withBytes(request.head.linkRules) { snapshot.linkRules.news(for: $0) }
        let body = shown.jsonBytes(capacity: 512 + (shown.paywall?.json.count ?? 0))
        return FastPathAnswer(head: head, body: body, route: route)
    }

    private func paywall(
        _ question: PaywallQuestion, _ caller: FastPathCaller, _ answering: PlacementAnswerBuilder, nowMs: Int64
    ) -> ShownPaywall? {
        if question.isDefault { return try? answering.everyone(question.placement, locale: question.locale) }
        guard let known = caller.install(in: installs, readsLastSeen: answering.snapshot.comparesLastSeen) else { return nil }
        let install = known.install, waitMs = question.waiting.waitMs
        // Without a wait nothing can be on its way.
        let resolution =
            waitMs == 0 && question.saysAttribution != true
            ? nil
            : AttributionResolution(install: install, nowMs: nowMs, holdEndsAtMs: nowMs + waitMs)
        var shown = try? answering.matching(
            question.placement, locale: question.locale, install: install, facts: known.facts(in: answering.snapshot, nowMs: nowMs),
            pending: resolution?.pending ?? .nothing, known: known)
        if question.saysAttribution == true { shown?.answer.attribution = resolution?.attribution }
        guard let shown, waitMs > 0, !shown.answer.final else { return shown }
        // The application holds it.
        guard let after = question.waiting.after, shown.answer.profileVersion > after else { return nil }
        return shown
    }
}

/// The question of a request's target for a paywall, if the target has no percent-encoding.
struct PaywallQuestion: Hashable {
    let placement: PlacementID
    var isDefault = false
    var locale: LocaleCode?
    /// Nil if the question has no `attribution`; then the answer has none either.
    var saysAttribution: Bool?
    var waiting = Waiting()

    private static let start: StaticString = "/v1/placements/"
    private static let end: StaticString = "/paywall"

    /// - Returns: nil for everything else: the application reads it.
    init?(_ target: UnsafeRawBufferPointer) {
        let length = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        let path = UnsafeRawBufferPointer(rebasing: target[..<length])
        let first = Self.start.utf8CodeUnitCount, end = path.count - Self.end.utf8CodeUnitCount
        guard first < end, path.begins(with: Self.start), path.ends(with: Self.end) else { return nil }
        let id = path[first..<end]
        guard id.allSatisfy(\.isOfName) else { return nil }
        placement = PlacementID(String(decoding: id, as: UTF8.self))
        guard length < target.count else { return }
        guard read(UnsafeRawBufferPointer(rebasing: target[(length + 1)...])) else { return nil }
    }

    private mutating func read(_ query: UnsafeRawBufferPointer) -> Bool {
        var hasAudience = false
        return query.takeFields { name, value in
            if !hasAudience, name.elementsEqual("audience".utf8) {
                hasAudience = true
                isDefault = value.elementsEqual("default".utf8)
                return isDefault || value.elementsEqual("matching".utf8)
            }
            if locale == nil, name.elementsEqual("locale".utf8) {
                locale = LocaleCode(utf8: value)
                return locale != nil
            }
            if saysAttribution == nil, name.elementsEqual("attribution".utf8) {
                saysAttribution = value.elementsEqual("true".utf8)
                return saysAttribution == true || value.elementsEqual("false".utf8)
            }
            return waiting.take(name, value)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func ends(with text: StaticString) -> Bool {
        let start = count - text.utf8CodeUnitCount
        return start >= 0 && UnsafeRawBufferPointer(rebasing: self[start...]).begins(with: text)
    }
}

extension UInt8 {
    /// A part of the target without percent-encoding.
    fileprivate var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
