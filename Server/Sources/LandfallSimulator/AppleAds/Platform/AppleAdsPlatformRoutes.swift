// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Apple's paths of the Platform API, and the one that gives tokens. One address answers for both.
struct AppleAdsPlatformRoutes {
    private static let longest = 65_536

    let platform: AppleAdsPlatform

    func add(to router: Router<BasicRequestContext>) {
        router.post("auth/oauth2/token") { request, _ in
            try await rest()
            let body = String(buffer: try await request.body.collect(upTo: Self.longest))
            let form = URLComponents(string: "?" + body)?.queryItems ?? []
            let values = Dictionary(form.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
            struct Token: Encodable {
                let access_token: String
                let token_type = "Bearer"
                let expires_in: Int64
                let scope = "searchadsorg"
            }
            guard let token = platform.token(for: values) else { return Self.json(["error": "invalid_client"], .badRequest) }
            return Self.json(Token(access_token: token.text, expires_in: token.seconds))
        }
        router.get("v1/acls") { request, _ in
            try await answering(request, needsAccount: false) {
                let account = PlatformAccess.Account(
                    id: SimulatedAdAccount.id, name: SimulatedAdAccount.name, orgId: platform.behaviour.organisation)
                return Self.json(PlatformAnswer(result: PlatformAccess(acls: [.init(adAccount: account, roles: ["API Account Read Only"])])))
            }
        }
        router.post("v1/:kind/query") { request, context in
            try await answering(request) {
                switch context.parameters.get("kind") {
                case "creatives"?: return try await creatives(request)
                case "product-pages"?: return try await productPages(request)
                default: break
                }
                guard let kind = Self.kind(context) else { return Self.fault("NOT_FOUND", "No such list.", .notFound) }
                return try await entities(kind, request)
            }
        }
        router.post("v1/reports/apps/:kind/query") { request, context in
            try await answering(request) {
                guard let kind = Self.kind(context) else { return Self.fault("NOT_FOUND", "No such report.", .notFound) }
                return try await report(kind, request)
            }
        }
    }

    private static func kind(_ context: BasicRequestContext) -> SimulatedAdAccount.Kind? {
        context.parameters.get("kind").flatMap { SimulatedAdAccount.Kind(rawValue: $0) }
    }

    // MARK: - Lists and reports

    private func entities(_ kind: SimulatedAdAccount.Kind, _ request: Request) async throws -> Response {
        guard let query = await query(request) else { return Self.fault("bad_request", "The body is not a query.", .badRequest) }
        if let fault = query.fault(kind, isReport: false, today: platform.today) { return Self.fault("VALIDATION_ERROR", fault, .badRequest) }
        let found = platform.entities(kind, in: query.campaigns, deleted: query.isForDeleted).sorted { $0.id < $1.id }
        return Self.page(of: found.map { PlatformEntity($0, promoted: platform.behaviour.promoted) }, query)
    }

    private func creatives(_ request: Request) async throws -> Response {
        guard let query = await query(request) else { return Self.fault("bad_request", "The body is not a query.", .badRequest) }
        if let fault = query.fault(filteredBy: ["id", "deleted"]) { return Self.fault("VALIDATION_ERROR", fault, .badRequest) }
        let found = platform.account.creatives.filter { $0.isDeleted == query.isForDeleted }
        return Self.page(of: found.map { PlatformCreative($0, promoted: platform.behaviour.promoted) }, query)
    }

    private func productPages(_ request: Request) async throws -> Response {
        guard let query = await query(request) else { return Self.fault("bad_request", "The body is not a query.", .badRequest) }
        if let fault = query.fault(filteredBy: ["adamId", "state"]) { return Self.fault("VALIDATION_ERROR", fault, .badRequest) }
        let promoted = platform.behaviour.promoted
        let isOfApp = query.app == nil || promoted == nil || query.app == promoted
        return Self.page(of: isOfApp ? [PlatformProductPage(adamId: promoted.flatMap { Int64($0) })] : [], query)
    }

    private static func page(of found: [some Encodable], _ query: PlatformQuery) -> Response {
        let page = found.dropFirst(query.pagination?.offset ?? 0).prefix(query.pagination?.pageSize ?? 20)
        return json(
            PlatformAnswer(
                result: Array(page),
                pagination: PlatformPagination(
                    offset: query.pagination?.offset ?? 0, pageSize: page.count,
                    totalCount: query.pagination?.fetchTotalCount == true ? found.count : nil)))
    }

    private func report(_ kind: SimulatedAdAccount.Kind, _ request: Request) async throws -> Response {
        guard let query = await query(request) else { return Self.fault("bad_request", "The body is not a query.", .badRequest) }
        if let fault = query.fault(kind, isReport: true, today: platform.today) { return Self.fault("VALIDATION_ERROR", fault, .badRequest) }
        guard let days = query.timeRange.flatMap({ PlatformQuery.days($0) }) else { return Self.fault("bad_request", "There are no days.", .badRequest) }
        let entities = platform.entities(kind, in: query.campaigns, deleted: query.isForDeleted)
        let rows = entities.flatMap { entity in SimulatedAdAccount.countries.indices.compactMap { row(entity, country: $0, days) } }
        let page = rows.dropFirst(query.pagination?.offset ?? 0).prefix(query.pagination?.pageSize ?? 100)
        return Self.json(
            PlatformAnswer(
                result: PlatformReport(rows: Array(page)),
                pagination: PlatformPagination(offset: query.pagination?.offset ?? 0, pageSize: page.count, totalCount: rows.count)))
    }

    /// - Returns: nil if nothing happened on these days.
    private func row(_ entity: SimulatedAdAccount.Entity, country: Int, _ days: ClosedRange<Int>) -> PlatformReport.Row? {
        let sums = days.map { day in (day, platform.spend(of: entity, country: country, day: day)) }
        let total = sums.reduce(SimulatedSpend()) { $0 + $1.1 }
        guard !total.isNothing else { return nil }
        return PlatformReport.Row(
            metadata: PlatformEntity(entity, promoted: platform.behaviour.promoted, country: SimulatedAdAccount.countries[country]),
            totalMetrics: PlatformMetrics(total),
            granularMetrics: sums.map { PlatformMetrics($0.1, date: PlatformQuery.text(ofDay: $0.0)) })
    }

    private func query(_ request: Request) async -> PlatformQuery? {
        guard let body = try? await request.body.collect(upTo: Self.longest) else { return nil }
        return try? JSONDecoder().decode(PlatformQuery.self, from: Data(body.readableBytesView))
    }

    // MARK: - What every answer has

    private func answering(_ request: Request, needsAccount: Bool = true, _ body: () async throws -> Response) async throws -> Response {
        try await rest()
        let quota = platform.count(request.uri.path)
        var response: Response
        if quota.isExceeded {
            response = Self.fault("rate_limit_exceeded", "Too many requests.", .tooManyRequests)
            response.headers[.retryAfter] = "\(quota.resetSeconds)"
        } else if !platform.isValid(request.headers[.authorization]) {
            response = Self.fault("UNAUTHORIZED", "The token is not valid.", .unauthorized)
        } else if platform.fails() {
            response = Self.fault("INTERNAL_ERROR", "Something failed.", .internalServerError)
        } else if needsAccount, request.headers[.context] != "adAccountId=\(SimulatedAdAccount.id)" || platform.behaviour.lacksRole {
            response = Self.fault("FORBIDDEN", "The user's role does not allow this.", .forbidden)
        } else if platform.behaviour.isHuge {
            response = Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(repeating: 32, count: 40 << 20)))
        } else {
            response = try await body()
        }
        response.headers[.rateLimit] = "\(quota.limit)"
        response.headers[.rateRemaining] = "\(quota.left)"
        response.headers[.rateReset] = "\(quota.resetSeconds)"
        return response
    }

    /// Keeps the caller waiting as long as the platform hangs, but not for ever.
    private func rest() async throws {
        guard platform.behaviour.hangs else { return }
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: AppleAdsReply.silence) }
    }

    private static func fault(_ code: String, _ message: String, _ status: HTTPResponse.Status) -> Response {
        json(PlatformError(code, message), status)
    }

    private static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) -> Response {
        let encoder = JSONEncoder()
        // The same answer has the same bytes.
        encoder.outputFormatting = [.sortedKeys]
        guard let body = try? encoder.encode(value) else { return Response(status: .internalServerError) }
        return Response(status: status, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension AppleAdsPlatform {
    /// What Apple would say now.
    /// - Parameter country: an index of the account's countries.
    func spend(of entity: SimulatedAdAccount.Entity, country: Int, day: Int) -> SimulatedSpend {
        account.keywords(under: entity).reduce(SimulatedSpend()) {
            $0 + SimulatedSpend(seed: seed, keyword: $1.id, country: country, day: day, today: today)
        }
    }

    /// All spend of the campaigns that are not deleted, as Apple would say it now: for tests.
    /// - Parameter days: since 1970, UTC.
    package func milliunits(on days: ClosedRange<Int>) -> Int64 {
        entities(.campaigns, in: nil, deleted: false).reduce(0) { sum, campaign in
            sum + days.reduce(0) { sum, day in
                sum + SimulatedAdAccount.countries.indices.reduce(0) { $0 + spend(of: campaign, country: $1, day: day).cents * 10 }
            }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let context = HTTPField.Name("X-AP-Context")!
    fileprivate static let rateLimit = HTTPField.Name("RateLimit-Limit")!
    fileprivate static let rateRemaining = HTTPField.Name("RateLimit-Remaining")!
    fileprivate static let rateReset = HTTPField.Name("RateLimit-Reset")!
}
