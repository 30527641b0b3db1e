// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallWire

/// `GET /v1/placements/{id}/paywall`: one placement's paywall, now or as soon as it is certain.
package struct PlacementRoutes: Sendable {
    package let held: HeldCalls

    package init(held: HeldCalls) {
        self.held = held
    }

    @Sendable package func paywall(_ request: Request, context: AppContext) async throws -> Answer<ShownPaywall> {
        let placement = PlacementID(context.parameters.get("id") ?? "")
        let query = request.uri.queryParameters
        let locale = try LocaleCode.canonical(query["locale"].map(String.init))
        switch query["audience"].map(String.init) ?? "matching" {
        case "default":
            var shown = try PlacementAnswerBuilder(snapshot: context.snapshot).everyone(placement, locale: locale)
            shown.answer.linkRules = context.snapshot.linkRules.news(for: request.headers[.landfallLinkRules])
            return Answer(shown)
        case "matching": return try await matching(placement, locale, request, context)
        default: throw RequestError.invalid("audience", "either matching or default.")
        }
    }

    private func matching(
        _ placement: PlacementID, _ locale: LocaleCode?, _ request: Request, _ context: AppContext
    ) async throws -> Answer<ShownPaywall> {
        let waiting = try Waiting(of: request)
        let saysAttribution = try Self.saysAttribution(request)
        let knownRules = request.headers[.landfallLinkRules]
        let endsAtMs = held.time.nowMs() + waiting.waitMs
        return try await held.answer(
            request, context, until: endsAtMs, about: [placement]
        ) { install, nowMs, snapshot in
            let resolution = AttributionResolution(install: install, nowMs: nowMs, holdEndsAtMs: endsAtMs)
            var shown = try PlacementAnswerBuilder(snapshot: snapshot).matching(
                placement, locale: locale, install: install, facts: snapshot.facts(of: install, nowMs: nowMs),
                pending: resolution.pending)
            if saysAttribution { shown.answer.attribution = resolution.attribution }
            shown.answer.linkRules = snapshot.linkRules.news(for: knownRules)
            let isNews = waiting.after.map { shown.answer.profileVersion > $0 } ?? false
            var answer = CurrentAnswer(
                value: shown,
                question: .init(
                    asked: .paywall(
                        placement, locale: locale, saysAttribution: saysAttribution, saysRules: shown.answer.linkRules != nil),
                    resolution: resolution, revision: snapshot.revision),
                isDone: isNews || shown.answer.final
            )
            if resolution.arePurchasesPending { answer.nextLookMs = install.purchasesComingUntilMs }
            if shown.storing != nil {
                answer.enrolling = Enrollment(snapshot: snapshot, placements: [placement], holdEndsAtMs: endsAtMs)
            }
            return answer
        }
    }

    /// True if the answer also says the attribution that decided it.
    private static func saysAttribution(_ request: Request) throws -> Bool {
        switch request.uri.queryParameters["attribution"].map(String.init) {
        case nil, "false": false
        case "true": true
        default: throw RequestError.invalid("attribution", "either true or false.")
        }
    }
}
