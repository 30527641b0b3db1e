// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallWire

/// `/v1/configuration/fallback`: the file that an app bundles.
package struct FallbackRoutes: Sendable {

    package init() {}
    package static let path = PublishingRoutes.path + "/fallback"
    private static let mostNames = 200

    /// `GET ?locale=&audience=`, each with commas between.
    @Sendable package func export(_ request: Request, context: AppContext) async throws -> Answer<FallbackExport> {
        _ = try context.requireCaller()
        let query = request.uri.queryParameters
        let locales = try Self.names(query["locale"], "locale").map { text in
            guard let locale = try LocaleCode.canonical(text) else { throw RequestError.invalid("locale", "codes with commas between.") }
            return locale
        }
        let audiences = try Self.names(query["audience"], "audience").map { AudienceID($0) }
        let asked = Set(context.snapshot.configuration.placements.flatMap { $0.offers.map(\.audience.id) } + [.everyone])
        if let audience = audiences.first(where: { !asked.contains($0) }) {
            throw RequestError.invalid("audience", "no placement uses '\(audience.rawValue.shortened)'.")
        }
        return Answer(FallbackExport(context.snapshot, locales: locales, audiences: audiences))
    }

    private static func names(_ text: Substring?, _ field: String) throws -> [String] {
        guard let text, !text.isEmpty else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        guard names.count <= mostNames, !names.contains("") else {
            throw RequestError.invalid(field, "at most \(mostNames) names with commas between.")
        }
        return names.map(String.init)
    }
}
