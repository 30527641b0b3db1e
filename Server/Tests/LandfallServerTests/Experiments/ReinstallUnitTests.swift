// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("The unit of a reinstall", .timeLimit(.minutes(2)))
struct ReinstallUnitTests {
    private static let a = ExperimentServer.phone(in: "A"), b = ExperimentServer.phone(in: "B")

    @Test("is its device's, even if a call for a paywall is faster than the first open")
    func paywallFirst() async throws {
        try await ExperimentServer.run { server in
            let first = try await server.open(Self.b, device: "d")["home"]

            let paywall = try await server.paywall(Self.a, device: "d")
            let opened = try await server.open(Self.a, device: "d")["home"]

            #expect(first?.assignment?.variation == "B")
            #expect(paywall.assignment == first?.assignment && opened?.assignment == first?.assignment)
            #expect(try await server.units().map(\.unit) == [Self.b.id])
        }
    }

    @Test("is its device's from the first call that names the device, even if other calls came before")
    func namedLater() async throws {
        try await ExperimentServer.run { server in
            let first = try await server.open(Self.b, device: "d")["home"]
            #expect(try await server.server.send(.post, WirePath.adToken, #"{"none":"noToken"}"#, phone: Self.a).status == .ok)

            let paywall = try await server.paywall(Self.a, device: "d")

            #expect(paywall.assignment == first?.assignment)
            #expect(try await server.units().map(\.unit) == [Self.b.id])
        }
    }

    @Test("is its device's while the store takes nothing, with the variation that the phone brings or the device has")
    func unstored() async throws {
        let faults = StoreFaults()
        try await ExperimentServer.run(faults: faults) { server in
            let first = try await server.open(Self.b, device: "d")["home"]
            faults.writes(.refuse(.diskLow))

            let again = try await server.open(Self.a, device: "d")["home"]
            let echo = #","assignments":[{"experiment":"spring-price","epoch":1,"variation":"B","bucket":700000}]"#
            let brought = try await server.open(Self.a, device: "e", rest: echo)["home"]

            #expect(again?.assignment == first?.assignment && again?.final == true)
            #expect(brought?.assignment?.bucket == 700_000)
            #expect(try await server.units().count == 1)
        }
    }

    @Test("is not known while the store cannot be read: it sees what everyone sees, and nothing is final")
    func unread() async throws {
        let faults = StoreFaults()
        try await ExperimentServer.run(faults: faults) { server in
            _ = try await server.open(Self.b, device: "d")
            faults.writes(.refuse(.closed))
            faults.reads(.retry("I/O"))

            let answer = try await server.open(Self.a, device: "d")["home"]

            #expect(answer?.assignment == nil && answer?.paywall?.variationId == "default" && answer?.final == false)
        }
    }

    @Test("stays when the reinstall is erased, and has nothing of what audiences read of it")
    func erased() async throws {
        let yaml = ExperimentServer.yaml()
            .replacing("audiences:\n", with: "attributes: { city: string }\naudiences:\n  here: { attributes.city: { is: Kyoto } }\n")
            .replacing("home: [", with: "home: [{ audience: here, paywall: special }, ")
        try await ExperimentServer.run(yaml) { server in
            let database = server.server.services.database
            _ = try await server.open(Self.a, device: "d", placements: ["plain"])
            let answer = try await server.open(Self.b, device: "d", rest: #","attributes":{"city":"home of maya"}"#)["home"]
            try await server.send([server.event(.paywallShown, of: answer?.assignment, id: 1)], from: Self.b)
            let before = try await StoredCells(database).places(of: ["home of maya"])

            _ = try await server.server.services.erasing.erase(.install(InstallID(Self.b.id)))

            #expect(Set(before.map(\.table)) == ["event", "profile"])
            #expect(try await StoredCells(database).places(of: ["home of maya", Self.b.id]) == [])
            #expect(try await server.units().map(\.unit) == [Self.a.id])
        }
    }
}
