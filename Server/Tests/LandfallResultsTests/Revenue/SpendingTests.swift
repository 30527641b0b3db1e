// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Revenue per exposed unit", .timeLimit(.minutes(1)))
struct SpendingTests {
    private let control = try! Spending(
        units: 1000,
        amounts: [
            .init(value: 9.99, count: 20), .init(value: 59.99, count: 9), .init(value: 599.90, count: 1),
            .init(value: 0, count: 970),
        ])
    private let variation = try! Spending(
        units: 1000, amounts: [.init(value: 119.98, count: 1), .init(value: 59.99, count: 12), .init(value: 9.99, count: 22)])

    @Test("Uncapped, one large payment hides everything")
    func uncapped() throws {
        let test = try #require(WelchTest(control: try control.sample(), variation: try variation.sample()))

        expect(test.t, is: "-.4166258")
        expect(test.p, is: ".6770214")
    }

    @Test("Capped at 95 %: rank 62 of 65")
    func capped() throws {
        let cap = try #require(Spending.cap([control, variation], thousandths: 950))
        let first = try control.sample(cap: cap), second = try variation.sample(cap: cap)
        let test = try #require(WelchTest(control: first, variation: second))

        #expect(cap == 59.99)
        expect(first.mean, is: ".7997")
        expect(second.mean, is: ".99965")
        expect(test.t, is: ".6841724")
        expect(test.p, is: ".4939469")
    }

    @Test("Below a thousand buyers the usual cap changes nothing; for 2,000 it is the amount at rank 1,998")
    func rank() throws {
        #expect(Spending.cap([control, variation]) == 599.90)
        let many = try Spending(units: 5000, amounts: (1...2000).map { .init(value: Double($0), count: 1) }.reversed())
        #expect(Spending.cap([many]) == 1998)
        let thousand = try Spending(units: 5000, amounts: (1...1000).map { .init(value: Double($0), count: 1) })
        #expect(Spending.cap([thousand]) == 999)
    }

    @Test("A cap is never below the highest price; without a payment there is no cap")
    func price() throws {
        #expect(Spending.cap([control, variation], thousandths: 500, highestPrice: 99.99) == 99.99)
        #expect(Spending.cap([try Spending(units: 7, amounts: [])]) == nil)
        #expect(Spending.cap([]) == nil)
    }

    @Test("Refunds count as they are, and a higher cap never lowers a mean")
    func refunds() throws {
        let refunded = try Spending(
            units: 10, amounts: [.init(value: -9.99, count: 1), .init(value: 9.99, count: 1), .init(value: 50, count: 1)])
        let means = try [1, 10, 40, 50, 1000].map { try refunded.sample(cap: $0).mean! }

        #expect(zip(means, means.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(abs(means[3] - 5) < 1e-12)
        #expect(refunded.buyers == 3)
    }

    @Test("More amounts than units, and amounts that are not numbers, are refused")
    func refused() {
        #expect(throws: SampleError.self) { try Spending(units: 1, amounts: [.init(value: 5, count: 2)]) }
        #expect(throws: SampleError.self) { try Spending(units: 9, amounts: [.init(value: .nan, count: 2)]) }
        #expect(throws: SampleError.self) { try Spending(units: 9, amounts: [.init(value: 1, count: -2)]) }
    }
}
