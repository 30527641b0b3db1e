// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules

@Suite("An install that reaches an experiment", .timeLimit(.minutes(2)))
struct AssignmentRouteTests {
    private static let a = ExperimentServer.phone(in: "A"), b = ExperimentServer.phone(in: "B")
    private static let retired = ExperimentServer.yaml("A: { weight: 100, paywall: default }, B: { weight: 0, paywall: special }")

    @Test("is assigned by its first open, in the same transaction, and gets its variation's paywall")
    func firstOpen() async throws {
        try await ExperimentServer.run { server in
            let control = try await server.open(Self.a)["home"], half = try await server.open(Self.b)["home"]

            let units = try await server.units()
            #expect(units.map(\.variation).sorted() == ["A", "B"] && units.allSatisfy { $0.step == "drawn" && $0.epoch == 1 })
            #expect(control?.assignment?.variation == "A" && half?.assignment?.variation == "B")
            #expect(control?.paywall?.variationId == "spring-price:A" && half?.paywall?.variationId == "spring-price:B")
            #expect(half?.paywall?.name == "default")
            #expect(control?.paywall?.remoteConfig?.value == .object(["title": .string("Unlock"), "button": .string("Go")]))
            #expect(half?.paywall?.remoteConfig?.value == .object(["title": .string("Half price"), "button": .string("Go")]))
            #expect(units.first { $0.unit == Self.b.id }?.bucket == half?.assignment?.bucket)
        }
    }

    @Test("is assigned by its first call for a paywall; the row is there before the answer, and later answers come from memory")
    func paywall() async throws {
        try await ExperimentServer.run { server in
            let first = try await server.paywall(Self.b)
            let stored = try await server.units()
            let second = try await server.paywall(Self.b)

            #expect(first.assignment?.variation == "B" && first.final)
            #expect(stored.map(\.variation) == ["B"])
            #expect(second == first)
            #expect(try await server.units() == stored)
        }
    }

    @Test("has one assignment in all placements of the experiment, and none in others")
    func placements() async throws {
        try await ExperimentServer.run { server in
            let answers = try await server.open(Self.b, placements: ["home", "ads", "plain"])

            #expect(answers["home"]?.assignment?.variation == "B")
            #expect(answers["ads"]?.assignment == nil && answers["ads"]?.paywall?.name == "special")
            #expect(answers["plain"]?.assignment == nil)
            #expect(try await server.units().count == 1)
        }
    }

    @Test("is never pulled into an entry that its audience does not match, whatever is stored")
    func audienceFirst() async throws {
        try await ExperimentServer.run { server in
            _ = try await server.open(Self.b)

            let answer = try await server.paywall(Self.b, "ads")

            #expect(answer.assignment == nil && answer.audience == .everyone && answer.paywall?.name == "special")
        }
    }

    @Test("is not enrolled by everyone's answer, which needs no profile and shows the control")
    func everyone() async throws {
        try await ExperimentServer.run { server in
            let answer = try await server.paywall(Self.b, query: "?audience=default")

            #expect(answer.assignment == nil && answer.paywall?.variationId == "default")
            #expect(try await server.units().isEmpty)
        }
    }

    @Test("is not enrolled by a line that is not final, but by the final line before it is sent; the draw stays the same")
    func notFinal() async throws {
        let yaml = ExperimentServer.yaml().replacing("home: [", with: "home: [{ audience: ads, paywall: special }, ")
        try await ExperimentServer.run(yaml) { server in
            let opening = Task {
                try await server.server.firstOpen(
                    #"{"adToken":"coming","placements":[{"id":"home"}],"holdMilliseconds":20000}"#, phone: Self.b)
            }
            while try await server.count(of: "install") == 0 { await Task.yield() }
            // Its first lines are written, and it is held.
            await server.server.clock.waitForSleeper()
            let waiting = try await server.units()
            _ = try await server.server.send(.post, WirePath.adToken, #"{"none":"noToken"}"#, phone: Self.b)
            let answers = try await opening.value.compactMap { if case .paywall(let answer) = $0 { answer } else { nil } }

            #expect(answers.map(\.final) == [false, true])
            #expect(answers.map(\.assignment?.variation) == ["B", "B"])
            #expect(waiting.isEmpty)
            #expect(try await server.units().map(\.variation) == ["B"])
        }
    }

    /// The phone may know more than this server, whose store may be a copy of an earlier day.
    @Test("has the variation of its own event in the next answer, even if this server would not have drawn it")
    func broughtByEvent() async throws {
        try await ExperimentServer.run(ExperimentServer.yaml(more: "layer: { name: main, from: 0%, to: 0.0001% }")) { server in
            let before = try await server.paywall(Self.b)
            let assignment = Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 900_000)

            try await server.send([server.event(.paywallShown, of: assignment, id: 1)], from: Self.b)

            let after = try await server.paywall(Self.b)
            #expect(before.assignment == nil && before.paywall?.variationId == "default")
            #expect(after.assignment?.variation == "B" && after.paywall?.variationId == "spring-price:B")
        }
    }

    @Test("keeps its variation when weights change, and has the old epoch; new units are drawn by the next one")
    func weights() async throws {
        try await ExperimentServer.run { server in
            let before = try await server.open(Self.b)["home"]
            try await server.publish(Self.retired)

            let after = try await server.paywall(Self.b), new = try await server.paywall(ExperimentServer.phone(in: "B", after: 40))

            #expect(after.assignment == before?.assignment && after.paywall?.name == "special")
            #expect(new.assignment?.variation == "A" && new.assignment?.epoch == 2)
            #expect(try await server.epochs() == [#"1 [["A",50],["B",50]]"#, #"2 [["A",100],["B",0]]"#])
        }
    }

    @Test("sees what everyone sees after its variation was removed, and is not drawn again when others are added")
    func removed() async throws {
        try await ExperimentServer.run { server in
            _ = try await server.open(Self.b)
            try await server.publish(ExperimentServer.yaml("A: { weight: 1, paywall: default }, C: { weight: 99, paywall: special }"))

            let answer = try await server.paywall(Self.b)

            #expect(answer.assignment == nil && answer.paywall?.variationId == "default")
            #expect(try await server.units().map(\.variation) == ["B"])
        }
    }

    @Test("keeps its variation over identify, log-out and late attribution")
    func person() async throws {
        try await ExperimentServer.run { server in
            let before = try await server.open(Self.b)["home"]
            for (path, body) in [
                (WirePath.identify, #"{"key":"i","customerId":"maya"}"#), (WirePath.logout, #"{"key":"o"}"#),
                (WirePath.attribution, #"{"key":"c","source":"tenjin","status":"non_organic"}"#),
            ] {
                #expect(try await server.server.send(.post, path, body, phone: Self.b).status == .ok, "\(path)")
                #expect(try await server.paywall(Self.b).assignment == before?.assignment, "\(path)")
            }
            #expect(try await server.units().count == 1)
        }
    }

    @Test("inherits, as a reinstall, the variation of the device's first install, whatever its own draw would be")
    func reinstall() async throws {
        try await ExperimentServer.run { server in
            let first = try await server.open(Self.b, device: "d")["home"]

            let again = try await server.open(Self.a, device: "d")["home"]

            #expect(again?.assignment == first?.assignment && again?.assignment?.variation == "B")
            #expect(try await server.paywall(Self.a).assignment == first?.assignment)
            #expect(try await server.units().map(\.unit) == [Self.b.id])
        }
    }

    @Test("keeps what it had before it was known as a reinstall")
    func lateReinstall() async throws {
        try await ExperimentServer.run { server in
            _ = try await server.open(Self.b, device: "d")
            let before = try await server.open(Self.a)["home"]

            let after = try await server.open(Self.a, device: "d")["home"]

            #expect(before?.assignment?.variation == "A" && after?.assignment == before?.assignment)
        }
    }

    @Test("brings its variation back to a server that lost its store, in place of another draw")
    func echo() async throws {
        let echo = #","assignments":[{"experiment":"spring-price","epoch":3,"variation":"A","bucket":999999}]"#
        try await ExperimentServer.run { server in
            let answer = try await server.open(Self.b, rest: echo)["home"]

            #expect(answer?.assignment == Assignment(experiment: "spring-price", epoch: 3, variation: "A", bucket: 999_999))
            #expect(try await server.units().map(\.step) == ["echoed"])
            #expect(try await server.paywall(Self.b).assignment == answer?.assignment)
        }
    }

    @Test(
        "is still in the holdout on a server that lost its store, and no result counts it, unless its phone brings another variation",
        arguments: [("A", "holdout", 0), ("B", "echoed", 1)] as [(VariationName, String, Int)])
    func heldOut(variation: VariationName, step: String, counted: Int) async throws {
        let yaml = ExperimentServer.yaml(more: "holdout: h") + "holdouts: { h: { share: 100% } }\n"
        let bucket = Int64(Draw(namespace: "experiment", salt: "spring-price#1", unit: Self.b.id).bucket)
        let assignment = Assignment(experiment: "spring-price", epoch: 1, variation: variation, bucket: bucket)
        let echo = #","assignments":[{"experiment":"spring-price","epoch":1,"variation":"\#(variation.rawValue)","bucket":\#(bucket)}]"#
        try await ExperimentServer.run(yaml) { server in
            let answer = try await server.open(Self.b, rest: echo)["home"]
            let events = [server.event(.paywallDecided, of: assignment, id: 1), server.event(.paywallShown, of: assignment, id: 2)]
            try await server.send(events, from: Self.b)

            let services = server.server.services
            let list = try await ExperimentRoutes(database: services.database, time: services.time).all(in: services.snapshot)
            #expect(answer?.assignment == assignment)
            #expect(try await server.units().map(\.step) == [step])
            #expect(list.experiments.map(\.units) == [counted])
        }
    }

    @Test(
        "is drawn if the phone's copy cannot be used",
        arguments: [
            #"{"experiment":"spring-price","epoch":1,"variation":"Z","bucket":1}"#, #"{"experiment":"gone","epoch":1,"variation":"A","bucket":1}"#,
            #"{"experiment":"spring-price","epoch":0,"variation":"A","bucket":1}"#,
            #"{"experiment":"spring-price","epoch":1,"variation":"A","bucket":1000000}"#,
            #"{"experiment":"spring-price","epoch":1,"variation":"A","bucket":-1}"#,
        ])
    func uselessEcho(echo: String) async throws {
        try await ExperimentServer.run { server in
            let answer = try await server.open(Self.b, rest: #","assignments":[\#(echo)]"#)["home"]

            #expect(answer?.assignment?.variation == "B")
            #expect(try await server.units().map(\.step) == ["drawn"])
        }
    }

    @Test("keeps the store's row if the phone's copy differs")
    func echoAgainstRow() async throws {
        try await ExperimentServer.run { server in
            let before = try await server.open(Self.b)["home"]

            let after = try await server.open(
                Self.b, rest: #","assignments":[{"experiment":"spring-price","epoch":1,"variation":"A","bucket":5}]"#)["home"]

            #expect(after?.assignment == before?.assignment)
        }
    }

    @Test("brings at most 32 assignments")
    func tooManyEchoes() async throws {
        try await ExperimentServer.run { server in
            let one = #"{"experiment":"x","epoch":1,"variation":"A","bucket":1}"#
            func status(_ count: Int) async throws -> (HTTPResponse.Status, String?) {
                let list = Array(repeating: one, count: count).joined(separator: ",")
                let response = try await server.server.send(
                    .post, WirePath.firstOpen, #"{"adToken":{"none":"noToken"},"assignments":[\#(list)]}"#, phone: Self.a)
                return (response.status, response.problem?.code.rawValue)
            }

            let most = try await status(32), more = try await status(33)
            #expect(most.0 == .ok)
            #expect(more.0 == .badRequest && more.1 == "invalid_value")
        }
    }

    @Test("is shown nothing by a variation that shows nothing, with its assignment")
    func nothing() async throws {
        try await ExperimentServer.run(ExperimentServer.yaml("A: { weight: 1, paywall: default }, B: { weight: 1, nothing: true }")) { server in
            let response = try await server.server.send(.get, "/v1/placements/home/paywall", phone: Self.b)
            let answer = try response.decoded(PaywallAnswer.self)

            #expect(answer.paywall == nil && answer.assignment?.variation == "B")
            #expect(String(buffer: response.body).contains(#""nothing":true"#))
        }
    }

    @Test("sees the promoted variation of a stopped experiment without an assignment, whatever is stored")
    func stopped() async throws {
        try await ExperimentServer.run { server in
            _ = try await server.open(Self.a)
            try await server.publish(
                ExperimentServer.yaml("A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special }", state: "stopped", more: "promote: B"))

            for phone in [Self.a, Self.b] {
                let answer = try await server.paywall(phone)
                #expect(answer.assignment == nil && answer.paywall?.variationId == "special")
            }
            #expect(try await server.units().count == 1)
        }
    }

    @Test("sees the control of a draft, and is assigned by an override alone")
    func draft() async throws {
        let yaml = ExperimentServer.yaml(state: "draft", more: "overrides: { \(Self.a.id): B }")
        try await ExperimentServer.run(yaml) { server in
            let overridden = try await server.paywall(Self.a), other = try await server.paywall(Self.b)

            #expect(overridden.assignment?.variation == "B" && other.assignment == nil)
            #expect(other.paywall?.variationId == "default")
            #expect(try await server.units().map(\.step) == ["override"])
            #expect(try await server.epochs().isEmpty)
        }
    }

    @Test("answers the same bytes from memory and through the application")
    func bothWays() async throws {
        let configuration = try Configuration(yaml: ExperimentServer.yaml())
        try await BothWays.run(configuration: configuration) { ways in
            for phone in [Self.a, Self.b] {
                for target in ["home", "ads", "home?locale=de", "home?audience=default", "plain"] {
                    let path = target.split(separator: "?", maxSplits: 1)
                    let query = path.count > 1 ? "?\(path[1])" : ""
                    let request = WrittenRequests.request(
                        "GET /v1/placements/\(path[0])/paywall\(query)", "localhost",
                        ["Authorization: Bearer pk_test", "Landfall-Profile: \(phone.id).\(phone.secret)"])
                    // The first answer stores the assignment; the second comes from memory.
                    for _ in 0..<3 {
                        let answers = try await ways.ask(request)
                        #expect(answers.loop == answers.application, "\(request)")
                        #expect(answers.loop.hasPrefix("HTTP/1.1 200"), "\(answers.loop)")
                        #expect(answers.loop.contains(#""assignment":{"#) == (target.hasPrefix("home") && !target.hasSuffix("default")))
                    }
                }
            }
        }
    }
}
