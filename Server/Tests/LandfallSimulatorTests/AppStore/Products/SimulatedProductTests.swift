// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("A simulated product", .timeLimit(.minutes(1)))
struct SimulatedProductTests {
    @Test("reads its id")
    func read() throws {
        let product = try SimulatedProduct("sim.trial=7d&fail=1&grace=16d&refund=3d&environment=Sandbox&id=42")

        #expect(product.kind == .subscription)
        #expect(product.environment == .sandbox)
        #expect(product.offer?.isFree == true)
        #expect(product.offer?.period.iso8601 == "P1W")
        #expect(product.failing == 1)
        #expect(product.grace == SimulatedPeriod("16d"))
        #expect(product.refund == SimulatedPeriod("3d"))
    }

    @Test(
        "is refused with a sentence for another form, a typing error or a contradiction",
        arguments: [
            ("com.example.yearly", "is not a simulated product"),
            ("sim.trail=7d", "'trail' is not a key of simulated products. They are: accept, addSeats"),
            ("sim.trial=7", "'trial' is '7'. Write a length"),
            ("sim.trial=11y", "at most 10 years"),
            ("sim.trial=", "'trial' has no value"),
            ("sim.trial", "'trial' has no value"),
            ("sim.yearly&better", "'better' has no value"),
            ("sim.trial=7d&trial=8d", "'trial' is there twice"),
            ("sim.trial=7d&intro=1mo", "exclude each other"),
            ("sim.offerPrice=990", "belong to 'intro' or 'offer'"),
            ("sim.grace=16d", "'grace' needs 'fail'"),
            ("sim.fail=1&recover=60d", "below 60 days"),
            ("sim.fail=4&renewals=2", "about renewal 4"),
            ("sim.type=lifetime", "subscription, consumable, nonconsumable, nonrenewing"),
            ("sim.type=consumable&trial=7d", "bought once"),
            ("sim.quantity=2", "'quantity' needs"),
            ("sim.environment=Xcode", "Production, Sandbox, none"),
            ("sim.refundForm=prorated", "'refundForm' needs 'refund'"),
            ("sim.revoke=3d", "'revoke' needs 'family=1'"),
            ("sim.renewals=-1", "from 0 to 1000"),
            ("sim.family=yes", "1 or 0"),
            ("sim.id=" + String(repeating: "x", count: 500), "at most 500"),
        ]
    )
    func refused(id: String, sentence: String) {
        let error = #expect(throws: SimulatedProductError.self) { try SimulatedProduct(id) }

        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    }

    @Test("may have a name, which orders nothing")
    func named() throws {
        let product = try SimulatedProduct("sim.yearly&period=1y")

        #expect(product.id == "sim.yearly&period=1y")
        #expect(product.period == SimulatedPeriod("1y"))
        #expect(try SimulatedProduct("sim.yearly").period == SimulatedPeriod("30d"))
    }

    @Test(
        "reads lengths in seven units",
        arguments: [
            ("30s", 30_000, "P1D"), ("90min", 5_400_000, "P1D"), ("12h", 43_200_000, "P1D"), ("3d", 259_200_000, "P3D"),
            ("14d", 1_209_600_000, "P2W"), ("2w", 1_209_600_000, "P2W"), ("1mo", 2_592_000_000, "P1M"), ("1y", 31_536_000_000, "P1Y"),
        ] as [(String, Int64, String)]
    )
    func periods(text: String, milliseconds: Int64, written: String) throws {
        let period = try #require(SimulatedPeriod(text))

        #expect(period.milliseconds == milliseconds)
        #expect(period.iso8601 == written)
    }

    @Test("is drawn by a seed: always one that can be read, and of many kinds")
    func drawn() throws {
        let ids = (0..<2_000).map { SimulatedProduct.drawnID($0) }

        let products = try ids.map { id throws(SimulatedProductError) in try SimulatedProduct(id) }

        #expect(SimulatedProduct.drawnID(7) == ids[7])
        #expect(Set(ids).count > 1_000)
        #expect(Set(products.map(\.kind)).count == SimulatedProduct.Kind.allCases.count)
        #expect(Set(products.map(\.environment)).count == SimulatedProduct.Environment.allCases.count)
    }
}
