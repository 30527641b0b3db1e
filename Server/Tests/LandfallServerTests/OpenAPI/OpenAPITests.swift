// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import NIOFoundationCompat
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallServer

@Suite("docs/openapi.yaml is true", .timeLimit(.minutes(1)))
struct OpenAPITests {
    let document: OpenAPIDocument

    init() throws { document = try OpenAPIDocument.load() }

    /// The documented path of a call.
    private static func path(of call: APICall) -> String {
        String(call.path.prefix { $0 != "?" }).replacing("/onboarding/", with: "/{id}/")
    }

    @Test("It lists all of the server's calls and no others")
    func operations() {
        let served =
            APICall.all.map { "\($0.method.rawValue) \(Self.path(of: $0))" } + ["GET /healthz", "GET /readyz", "GET /metrics", "GET \(AllowedDomainRoute.path)"]
            + ["GET /v1/links", "POST /v1/links", "PATCH /v1/links", "DELETE /v1/links", "GET \(ReportRoutes.path)", "GET \(RevenueRoutes.path)"]
            + ["GET", "PATCH", "DELETE"].map { "\($0) /v1/links/{domain}/{suffix}" }
            + ["POST \(NotificationRoutes.path)", "POST \(ErasureRoutes.path)", "GET \(StreamTrialRoute.path)", "GET \(ExplanationRoutes.path)"]
            + ["POST", "GET"].map { "\($0) \(PublishingRoutes.path)" } + ["GET \(PublishingRoutes.versionsPath)"]
            + ["GET \(PublishingRoutes.versionsPath)/{number}", "POST \(PublishingRoutes.rollbackPath)"]
            + ["DELETE \(PublishingRoutes.scheduledPath)/{id}", "POST \(ImpactRoutes.path)", "GET \(FallbackRoutes.path)"]
            + [ExperimentRoutes.path, ExperimentRoutes.resultsPath, ExperimentRoutes.numbersPath, ExperimentRoutes.unitsPath].map { "GET \($0)" }
            + ["POST \(WirePath.purchases)", "POST \(AccessRoutes.grantsPath)", "DELETE \(AccessRoutes.grantsPath)/{grantId}"]
            + ["GET \(AccessRoutes.customerPath)"] + Self.webhookCalls.map { "\($0.0) \($0.1)" } + ["GET \(AssociationFiles.applePath)", "GET \(AssociationFiles.androidPath)", "GET /{link}"]

        #expect(Set(document.operations.map(\.testDescription)) == Set(served))
        #expect(document.operations.count == 56)
    }

    @Test("Every reference leads somewhere, and every operation has one name")
    func references() {
        for reference in document.references {
            #expect(document.resolved(.object(["$ref": .string(reference)])) != nil, "\(reference)")
        }
        let names = document.operations.compactMap { $0.value["operationId"]?.text }
        #expect(Set(names).count == document.operations.count)
    }

    /// Generators of clients make a type of each.
    @Test("Alternatives that are objects have names, and the property that distinguishes them is named if there is one")
    func alternatives() {
        var told = 0
        for union in document.unions {
            let variants = union["oneOf"].elements
            #expect(variants.allSatisfy { $0["properties"] == nil && $0["allOf"] == nil }, "\(union)")
            let constants = variants.map(document.constants)
            let names = constants.first?.keys.filter { name in constants.allSatisfy { $0[name] != nil } } ?? []
            let discriminator = union["discriminator"]
            #expect(discriminator?["propertyName"]?.text == names.first, "\(union)")
            guard let name = names.first else { continue }
            told += 1
            #expect(discriminator?["mapping"].members.count == variants.count, "\(union)")
            for (variant, constants) in zip(variants, constants) {
                let word = constants[name]?.text ?? ""
                #expect(discriminator?["mapping"]?[word] == variant["$ref"], "\(word)")
            }
        }
        #expect(told == 2, "attributions, and lines of a first open")
    }

    @Test("Requests of these tests fit it, and so do the server's answers", arguments: APICall.all)
    func answers(call: APICall) async throws {
        let operation = try document.operation(call.method.rawValue, Self.path(of: call))
        if let body = call.body {
            let value = try WireCoding.decode(JSONValue.self, from: Data(body.utf8))
            #expect(schema(operation.value["requestBody"], "application/json")?.faults(value) == [])
        }
        try await TestServer.run { server in
            let response = try await server.send(call.method, call.path, call.body, phone: call.needsProfile ? Phone() : nil)

            try check(response, of: operation)
        }
    }

    @Test("Its own examples of calls that phones make get the promised answers")
    func examples() async throws {
        for operation in document.operations where operation.method == "POST" {
            let content = operation.value["requestBody"]?["content"]?["application/json"]
            guard let example = content?["example"] else { continue }
            #expect(
                schema(operation.value["requestBody"], "application/json")?.faults(example) == [],
                "\(operation.testDescription)")
            try await TestServer.run { server in
                // `coming` with a hold would keep the stream open until the clock moves.
                let body = String(decoding: try WireCoding.encode(example), as: UTF8.self).replacing("5000", with: "0")
                let response = try await server.send(.post, operation.path, body)

                #expect(response.status == .ok, "\(operation.testDescription)")
                try check(response, of: operation)
            }
        }
    }

    @Test("An attributed and a pending install get the promised answers")
    func states() async throws {
        let profile = try document.operation("GET", WirePath.profile)
        try await TestServer.run { server in
            _ = try await server.firstOpen(#"{"adToken":{"value":"dG9rZW4="},"device":{"deviceId":"d1"}}"#)
            try check(try await server.send(.get, WirePath.profile), of: profile)

            let claim = #"{"key":"c1","source":"appsflyer","status":"non_organic","campaign":"Summer","ad_group":"Beach"}"#
            _ = try await server.send(.post, WirePath.attribution, claim)
            _ = try await server.send(.post, WirePath.identify, #"{"key":"i1","customerId":"customer-7"}"#)
            try check(try await server.send(.get, WirePath.profile), of: profile)
        }
    }

    @Test("A first open's problem line has the promised form")
    func problemLine() async throws {
        let operation = try document.operation("POST", WirePath.firstOpen)
        try await TestServer.run { server in
            let response = try await server.send(
                .post, WirePath.firstOpen, #"{"placements":[{"id":"nowhere"},{"id":"onboarding"}]}"#)

            #expect(try response.lines.contains { if case .problem = $0 { true } else { false } })
            try check(response, of: operation)
        }
    }

    @Test("Versions of the configuration are answered as promised, and so are their refusals")
    func versions() async throws {
        let path = PublishingRoutes.path
        @Sendable func operation(_ method: String, _ rest: String = "") throws -> OpenAPIDocument.Operation {
            try document.operation(method, path + rest)
        }
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml("special", title: "Open")
            let protected = PublishingServer.yaml(more: "retention: { clickDays: 30 }")
            for (body, base) in [(text, 1), (text, 1), (PublishingServer.yaml("absent"), 2), (protected, 2), (text, 9)] as [(String, Int64)] {
                try check(try await publisher.publish(body, base: base), of: operation("POST"))
            }
            let atMs = publisher.server.services.time.nowMs() + 60_000
            try check(try await publisher.publish(text, "?atMilliseconds=\(atMs)"), of: operation("POST"))
            try check(try await publisher.send(.get, ""), of: operation("GET"))
            try check(try await publisher.send(.put, ""), of: operation("GET"))
            try check(try await publisher.send(.get, "/versions"), of: operation("GET", "/versions"))
            try check(try await publisher.send(.get, "/versions?limit=0"), of: operation("GET", "/versions"))
            for number in ["1", "9"] {
                try check(try await publisher.send(.get, "/versions/\(number)"), of: operation("GET", "/versions/{number}"))
            }
            for body in [#"{"version":1}"#, #"{"version":9}"#, "{}"] {
                try check(try await publisher.send(.post, "/rollback", body), of: operation("POST", "/rollback"))
            }
            for query in ["", "?sample=0"] {
                try check(try await publisher.send(.post, "/impact" + query, text), of: operation("POST", "/impact"))
            }
            for query in ["", "?locale=x"] {
                try check(try await publisher.send(.get, "/fallback" + query), of: operation("GET", "/fallback"))
            }
            let id = try await publisher.versions().lazy.compactMap(\.id).first ?? ""
            for id in [id, "x"] {
                try check(try await publisher.send(.delete, "/scheduled/\(id)"), of: operation("DELETE", "/scheduled/{id}"))
            }
            for key in [nil, PublishingServer.weakKey] {
                try check(try await publisher.send(.get, "/versions", key: key), of: operation("GET", "/versions"))
            }
        }
    }

    @Test("Experiments are answered as promised, and so are their refusals")
    func experiments() async throws {
        try await ExperimentRouteTests.run { server in
            _ = try await ExperimentRouteTests.launch(server)
            for path in [ExperimentRoutes.path, ExperimentRoutes.resultsPath, ExperimentRoutes.numbersPath, ExperimentRoutes.unitsPath] {
                let operation = try document.operation("GET", path)
                for name in ["spring-price", "nothing"] {
                    let target = path.replacing("{name}", with: name)
                    for key in [ExperimentRouteTests.key, ExperimentRouteTests.weakKey, "pk_test"] {
                        try check(try await ExperimentRouteTests.get(target, server, key: key), of: operation)
                    }
                    try check(try await server.server.send(.put, target, phone: nil, key: ExperimentRouteTests.key), of: operation)
                }
            }
            let refused = try await ExperimentRouteTests.get("/v1/experiments/spring-price/units?basis=seen", server)
            try check(refused, of: document.operation("GET", ExperimentRoutes.unitsPath))
        }
    }

    private static let webhookCalls: [(HTTPRequest.Method, String)] = [
        (.get, WebhookRoutes.path), (.get, WebhookRoutes.deliveriesPath), (.get, WebhookRoutes.deliveryPath), (.get, WebhookRoutes.messagesPath),
        (.post, WebhookRoutes.retryPath), (.post, WebhookRoutes.replayPath), (.post, WebhookRoutes.testPath), (.post, WebhookRoutes.onPath),
    ]

    @Test("Webhooks are answered as promised, and so are their refusals", arguments: [200, 410])
    func webhooks(status: Int) async throws {
        try await WebhookRouteTests.run(answering: status) { server, endpoint, delivery in
            for (method, path) in Self.webhookCalls {
                let operation = try document.operation(method.rawValue, path)
                for (endpoint, delivery) in [(endpoint, delivery), (endpoint, "x"), ("nothing", delivery)] {
                    let target = path.replacing("{endpoint}", with: endpoint).replacing("{delivery}", with: delivery)
                    let body = path == WebhookRoutes.replayPath ? #"{"from":"1970-01-01T00:00:00Z","to":"2100-01-01T00:00:00Z"}"# : nil
                    for key in [WebhookRouteTests.key, WebhookRouteTests.weakKey, nil] {
                        try check(try await server.send(method, target, body, phone: nil, key: key), of: operation)
                    }
                    try check(try await server.send(.put, target, phone: nil, key: WebhookRouteTests.key), of: operation)
                }
            }
        }
    }

    @Test("Revenue is answered as promised, and so are its refusals")
    func revenue() async throws {
        let operation = try document.operation("GET", RevenueRoutes.path)
        try await RevenueRoutesTests.run { server in
            for query in ["", "?view=booking&by=day,source,product", "?by=path"] {
                try check(try await server.sendAsBackend(.get, RevenueRoutes.path + query), of: operation)
            }
            try check(try await server.sendAsBackend(.put, RevenueRoutes.path), of: operation)
            try check(try await server.send(.get, RevenueRoutes.path, phone: nil, key: nil), of: operation)
        }
    }

    @Test("Every refusal is documented at its call", arguments: APICall.all)
    func refusals(call: APICall) async throws {
        let operation = try document.operation(call.method.rawValue, Self.path(of: call))
        try await TestServer.run { server in
            try check(try await server.send(call.method, call.path, call.body, key: nil), of: operation)
            try check(try await server.send(.put, call.path, call.body), of: operation)
            guard call.needsProfile else { return }
            _ = try await server.firstOpen("{}")
            try check(try await server.send(call.method, call.path, call.body, phone: nil), of: operation)
            try check(try await server.send(call.method, call.path, call.body, phone: Phone(secret: 8)), of: operation)
            guard call.body != nil else { return }
            let large = #"{"key":""# + String(repeating: "x", count: 1_200_000) + #""}"#
            for body in ["{", "[]", #"{"key":"\u0000"}"#, large] {
                try check(try await server.send(call.method, call.path, body), of: operation)
            }
        }
    }

    @Test("It lists every error code")
    func errorCodes() throws {
        let sources = [
            "Sources/LandfallWire/Errors/ErrorCode.swift", "Server/Sources/LandfallPurchases/Verification/AppStoreRefusal.swift",
            "Server/Sources/LandfallServer/Links/LinkLists/OneLinkRoutes.swift", "Server/Sources/LandfallServer/HTTP/Requests/RequestError.swift",
        ]
        let codes = try sources.map(Sample.file).joined().matches(of: /ErrorCode\((?:rawValue: )?"([a-z_]+)"\)/).map { String($0.output.1) }

        let listed = document.resolved(.object(["$ref": .string("#/components/schemas/ErrorCode")]))?["examples"].elements
        #expect(listed?.compactMap(\.text).sorted() == codes.sorted())
    }

    @Test("The endpoints for operators answer as documented", arguments: ["/healthz", "/readyz", "/metrics", AllowedDomainRoute.path])
    func operating(path: String) async throws {
        let operation = try document.operation("GET", path)
        try await TestServer.run { server in
            try check(try await server.send(.get, path, phone: nil, key: nil), of: operation)
            try check(try await server.send(.post, path, phone: nil, key: nil), of: operation)
        }
    }

    @Test(
        "A brand domain answers as documented",
        arguments: [
            ("/{link}", "/beach", Browser.safari), ("/{link}", "/beach", Browser.windows), ("/{link}", "/over", Browser.safari),
            ("/{link}", "/nothing", Browser.safari), ("/{link}", "/a/../b", Browser.safari),
            ("/{link}", "/" + String(repeating: "a", count: 8192), Browser.safari),
            (AssociationFiles.applePath, AssociationFiles.applePath, Browser.safari),
            (AssociationFiles.androidPath, AssociationFiles.androidPath, Browser.safari),
        ])
    func brand(path: String, target: String, userAgent: String) async throws {
        let operation = try document.operation("GET", path)
        try await TestServer.runBrand { server in
            for method in [HTTPRequest.Method.get, .post] {
                let browser = Browser(userAgent: userAgent, method: method)
                let answer = try await browser.send(target, host: "go.example.com", to: server)
                let body = ByteBuffer(string: answer.body)
                try check(HTTPResponse.Status(code: answer.status), answer.headers, body, of: operation)
            }
        }
    }

    private func check(_ response: TestResponse, of operation: OpenAPIDocument.Operation) throws {
        try check(response.status, response.headers, response.body, of: operation)
    }

    /// Status, headers, content type and body match the document's description of this operation.
    private func check(
        _ code: HTTPResponse.Status, _ headers: HTTPFields, _ body: ByteBuffer, of operation: OpenAPIDocument.Operation
    ) throws {
        let status = "\(code.code)"
        let promised = try #require(
            document.resolved(operation.value["responses"]?[status]),
            "\(operation.testDescription) is not documented to answer \(status)"
        )
        for (name, header) in promised["headers"].members {
            let isRequired = document.resolved(header)?["required"] == .bool(true)
            #expect(
                !isRequired || headers[HTTPField.Name(name)!] != nil, "\(operation.testDescription) \(status): \(name)"
            )
        }
        let type = headers[.contentType].map { String($0.prefix { $0 != ";" }) } ?? ""
        if type.isEmpty, body.readableBytes == 0, promised["content"] == nil { return }
        let promisedBody = schema(promised, type)
        let schema = try #require(promisedBody, "\(operation.testDescription) \(status) is not documented to be '\(type)'")
        for value in try values(body, type) {
            #expect(schema.faults(value) == [], "\(operation.testDescription) \(status)")
        }
    }

    private func schema(_ container: JSONValue?, _ type: String) -> JSONSchema? {
        container?["content"]?[type]?["schema"].map { JSONSchema(schema: $0, document: document) }
    }

    private func values(_ body: ByteBuffer, _ type: String) throws -> [JSONValue] {
        switch type {
        case "application/x-ndjson":
            try String(buffer: body).split(separator: "\n").map {
                try WireCoding.decode(JSONValue.self, from: Data($0.utf8))
            }
        case "application/json": [try WireCoding.decode(JSONValue.self, from: Data(buffer: body))]
        default: [.string(String(buffer: body))]
        }
    }
}
