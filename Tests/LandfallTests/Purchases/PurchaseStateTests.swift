// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("Which transactions leave the phone", .timeLimit(.minutes(1)))
struct PurchaseStateTests {
    private var state = PurchaseState(hasSource: true)

    init() {
        _ = state.observe()
        state.opened(nil, of: "anna")
        _ = state.belongs(to: "i_anna", epoch: 1)
    }

    private mutating func read(_ history: [StoreTransaction]) {
        state.begunReading(1)
        _ = state.found(history, isWhole: true)
    }

    private mutating func answer(_ results: [PurchaseAnswer.Result]? = nil, to person: ProfileID = "i_anna") -> [ErrorCode]? {
        let batch = state.nextBatch
        state.sending.operation = 2
        let all = results ?? batch.transactions.map { .init(transactionId: $0.id, status: .accepted) }
        return state.answered(batch, all, to: person)
    }

    @Test("A history leaves in batches, the oldest first, and only the last one is complete", arguments: [0, 1, 50, 51, 100, 120])
    mutating func batches(count: Int) {
        read((0..<count).reversed().map { .bought($0, signed: $0) })
        var sent: [[String]] = [], complete: [Bool] = []
        while state.sendsFrom(allowedFrom: .zero) != nil {
            sent.append(state.nextBatch.transactions.map(\.id))
            complete.append(state.nextBatch.isComplete)
            _ = answer()
        }

        #expect(sent.flatMap(\.self) == (0..<count).map(String.init))
        #expect(sent.allSatisfy { $0.count <= Limits.purchases })
        #expect(complete.last == true && complete.dropLast().allSatisfy { !$0 })
        #expect(sent.count == max(1, (count + 49) / 50))
    }

    @Test("A report fits into the body, whatever the size of the signed texts")
    mutating func bytes() throws {
        read((0..<60).map { .bought($0, signed: $0, bytes: Limits.signedTransaction - 20) })
        var count = 0
        while state.sendsFrom(allowedFrom: .zero) != nil {
            let body = try WireCoding.encode(state.nextBatch.report(.sync, key: IdempotencyKey(String(repeating: "k", count: 64))))
            #expect(body.count <= Limits.purchaseBody)
            count += state.nextBatch.transactions.count
            _ = answer()
        }

        #expect(count == 60)
    }

    @Test("What the server could not take is not sent: without a signature, or larger than a signed text may be")
    mutating func unfit() {
        let large = StoreTransaction.bought(1, bytes: Limits.signedTransaction)
        read([large, StoreTransaction(id: "2", jws: "", signedAt: Date(timeIntervalSince1970: 0)), .bought(3)])

        #expect(state.nextBatch.transactions.map(\.id) == ["3"])
    }

    @Test("What was acknowledged is not sent again; a later signature of it is, and an earlier one is not")
    mutating func later() {
        read([.bought(1, signed: 10)])
        let codes = answer()
        #expect(codes == [])

        _ = state.found([.bought(1, signed: 10), .bought(1, signed: 9)], isWhole: false)
        #expect(state.sendsFrom(allowedFrom: .zero) == nil)
        _ = state.found([.bought(1, signed: 12), .bought(1, signed: 11)], isWhole: false)
        #expect(state.nextBatch.transactions == [.bought(1, signed: 12)])
    }

    @Test("A later signature that comes while the earlier one is on its way is sent too")
    mutating func meanwhile() {
        read([.bought(1, signed: 10)])
        let batch = state.nextBatch
        _ = state.found([.bought(1, signed: 11)], isWhole: false)

        _ = state.answered(batch, [.init(status: .accepted)], to: "i_anna")

        #expect(state.nextBatch.transactions == [.bought(1, signed: 11)])
    }

    @Test("An answer of another length, or about another person, acknowledges nothing")
    mutating func strange() {
        read([.bought(1), .bought(2)])

        let short = answer([.init(status: .accepted)])
        let foreign = answer(to: "i_somebody")

        #expect(short == nil && foreign == nil)
        #expect(state.waitingCount == 2 && state.memory.acknowledged.isEmpty)
    }

    @Test(
        "Only what the server has stored counts as acknowledged",
        arguments: [
            (.accepted, nil, true), (.duplicate, nil, true), (.rejected, "purchase_owned", true), (.rejected, "purchase_forged", false),
            (.rejected, "purchase_foreign", false), (.rejected, "purchase_environment", false), (.rejected, nil, false),
        ] as [(PurchaseAnswer.Result.Status, String?, Bool)])
    func stored(status: PurchaseAnswer.Result.Status, code: String?, isStored: Bool) {
        #expect(PurchaseAnswer.Result(status: status, code: code.map { ErrorCode($0) }).isStored == isStored)
    }

    @Test("Rejected ones are not sent again in this launch, and again in the next; those of another owner are settled")
    mutating func rejected() {
        read([.bought(1), .bought(2)])
        let codes = answer([
            .init(status: .rejected, code: ErrorCode("purchase_forged")), .init(status: .rejected, code: ErrorCode("purchase_owned")),
        ])

        #expect(codes == [ErrorCode("purchase_forged")])
        read([.bought(1), .bought(2)])
        #expect(state.sendsFrom(allowedFrom: .zero) == nil)
        var next = PurchaseState(hasSource: true)
        _ = next.observe()
        next.opened(state.memory, of: "anna")
        next.begunReading(1)
        _ = next.found([.bought(1), .bought(2)], isWhole: true)
        #expect(next.nextBatch.transactions == [.bought(1)])
    }

    @Test("One transaction that the server cannot read is found, and the others arrive")
    mutating func poison() {
        read((0..<120).map { .bought($0, signed: $0) })
        var arrived: Set<String> = [], requests = 0
        while state.sendsFrom(allowedFrom: .zero) != nil, requests < 100 {
            let batch = state.nextBatch
            requests += 1
            if batch.transactions.contains(where: { $0.id == "77" }) {
                state.refused(batch, isAboutContent: true)
            } else {
                arrived.formUnion(batch.transactions.map(\.id))
                _ = answer()
            }
        }

        #expect(arrived == Set((0..<120).map(String.init)).subtracting(["77"]))
        #expect(requests < 25)
    }

    @Test("A server that takes no reports is asked once in a launch")
    mutating func refused() {
        read([.bought(1)])

        state.refused(state.nextBatch, isAboutContent: false)

        #expect(state.sendsFrom(allowedFrom: .zero) == nil)
        #expect(!state.isHistoryComing)
    }

    @Test("For another person, and for a server's store that was restored, everything is read and sent again; otherwise nothing",
        arguments: [("s_bert", 1), ("i_anna", 2)] as [(ProfileID, Int64)])
    mutating func person(next person: ProfileID, epoch: Int64) {
        read([.bought(1)])
        _ = answer()

        let changes = [state.belongs(to: "i_anna", epoch: 1), state.belongs(to: person, epoch: epoch)]

        #expect(changes == [false, true])
        #expect(state.lookingEffects.contains(.read))
        read([.bought(1)])
        #expect(state.nextBatch == PurchaseBatch(from: [.bought(1)], atMost: 50, isWhole: true))
    }

    @Test("The memory of another installation counts for nothing")
    mutating func restored() {
        read([.bought(1)])
        _ = answer()
        var other = PurchaseState(hasSource: true)

        other.opened(state.memory, of: "bert")

        #expect(other.memory == PurchaseMemory(of: "bert"))
        #expect(state.memory.isComplete && state.memory.acknowledged.count == 1)
    }

    @Test("A memory forgets the oldest signatures first, and stays small")
    func bounded() {
        var memory = PurchaseMemory(of: "anna")
        for id in 0..<(PurchaseMemory.mostAcknowledged + 3) { memory.acknowledge(.bought(id, signed: id)) }

        #expect(memory.acknowledged.count == PurchaseMemory.mostAcknowledged)
        #expect(!memory.hasAcknowledged(.bought(2, signed: 2)) && memory.hasAcknowledged(.bought(3, signed: 3)))
    }
}
