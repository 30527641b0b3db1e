// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Custom attributes", .timeLimit(.minutes(1)))
struct AttributeTests {
    private func change(
        _ store: TestStore, _ attributes: [String: AttributeValue?], key: IdempotencyKey = "k", epoch: Int64? = nil
    ) async throws -> Install {
        let changes = AttributeChanges(key: key, attributes: attributes, epoch: epoch)
        return try await store.installs.change(TestStore.app, .mayasPhone, changes, nowMs: TestStore.noon)
    }

    @Test("Changes set, replace and remove, and move the version once each")
    func changes() async throws {
        let store = try await TestStore()
        let first = try await change(store, ["plan": .string("gold"), "age": .number(31.5), "vip": .bool(true)], key: "1")

        let second = try await change(store, ["plan": .string("silver"), "vip": nil, "none": nil], key: "2")

        #expect(first.attributes == ["plan": .string("gold"), "age": .number(31.5), "vip": .bool(true)])
        #expect(second.attributes == ["plan": .string("silver"), "age": .number(31.5)])
        #expect(second.version == first.version + 1)
        #expect(second.attributionVersion == first.attributionVersion)
        #expect(try await change(store, ["plan": .string("silver")], key: "3").version == second.version)
    }

    @Test("A repeated change is applied once; its key for another change is refused")
    func keys() async throws {
        let store = try await TestStore()
        _ = try await change(store, ["plan": .string("gold")], key: "1")
        let newer = try await change(store, ["plan": .string("silver")], key: "2")

        let again = try await change(store, ["plan": .string("gold")], key: "1")

        #expect(again == newer)
        await #expect(throws: InstallError.keyReused("1")) { try await change(store, ["plan": .string("lead")], key: "1") }
    }

    @Test("A repeated open, or a change in another open, does not undo a later change")
    func openAgain() async throws {
        let store = try await TestStore()
        var opening = Opening(device: DeviceFacts(), adToken: .none(.noToken))
        opening.attributeChanges = [
            AttributeChanges(key: "1", attributes: ["plan": .string("lead"), "age": .number(1)]),
            AttributeChanges(key: "2", attributes: ["plan": .string("gold"), "age": nil]),
        ]
        let opened = try await store.installs.open(TestStore.app, .mayasPhone, opening, nowMs: TestStore.noon)
        _ = try await change(store, ["plan": .string("silver")], key: "later")

        opening.attributeChanges.removeFirst()
        let again = try await store.installs.open(TestStore.app, .mayasPhone, opening, nowMs: TestStore.noon)

        #expect(opened.install.attributes == ["plan": .string("gold")])
        #expect(again.install.attributes == ["plan": .string("silver")])
    }

    /// An epoch that a late change names, and whether it reaches the person of now.
    static let epochs: [(name: String, epoch: @Sendable (_ store: Int64, _ before: Int64, _ now: Int64) -> Int64?, reaches: Bool)] = [
        ("none", { _, _, _ in nil }, true),
        ("of the person before", { _, before, _ in before }, false),
        ("of the person now", { _, _, now in now }, true),
        ("of a store before this one", { store, _, _ in store - 1 }, true),
        ("the least", { _, _, _ in .min }, true), ("the largest", { _, _, _ in .max }, true),
    ]

    @Test(
        "A change about the person before a log-out reaches nobody else, by a call or an open, and its key is done",
        arguments: epochs.indices, [false, true])
    func anotherPerson(row: Int, byOpen: Bool) async throws {
        let (_, epoch, reaches) = Self.epochs[row]
        let store = try await TestStore()
        let before = try await change(store, ["plan": .string("gold")], key: "1")
        let now = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)
        let late = AttributeChanges(
            key: "2", attributes: ["plan": .string("lead")], epoch: epoch(store.mark.epoch, before.epoch, now.epoch))

        var opening = Opening(device: DeviceFacts(), adToken: .none(.noToken))
        opening.attributeChanges = [late, AttributeChanges(key: "3", attributes: ["age": .number(7)], epoch: now.epoch)]
        let after =
            byOpen
            ? try await store.installs.open(TestStore.app, .mayasPhone, opening, nowMs: TestStore.noon).install
            : try await store.installs.change(TestStore.app, .mayasPhone, late, nowMs: TestStore.noon)
        let again = try await store.installs.change(TestStore.app, .mayasPhone, late, nowMs: TestStore.noon)

        #expect(after.profileID == now.profileID)
        #expect(after.attributes["plan"] == (reaches ? .string("lead") : nil))
        #expect(after.attributes["age"] == (byOpen ? .number(7) : nil))
        #expect(again.attributes == after.attributes)
        await #expect(throws: InstallError.keyReused("2")) { try await change(store, ["plan": .string("tin")], key: "2") }
    }

    @Test("A change about a person who is identified meanwhile is about the same profile, and about nobody once another id is attached")
    func identifiedMeanwhile() async throws {
        let store = try await TestStore()
        let anonymous = try await store.open(.mayasPhone)
        func identify(_ customer: CustomerID) async throws {
            let person = Identification(key: IdempotencyKey(customer.rawValue), customerID: customer, isVerified: false)
            _ = try await store.installs.identify(TestStore.app, .mayasPhone, person, nowMs: TestStore.noon)
        }

        try await identify("maya")
        let maya = try await change(store, ["plan": .string("gold")], key: "1", epoch: anonymous.epoch)
        try await identify("omar")
        let omar = try await change(store, ["plan": .string("lead")], key: "2", epoch: anonymous.epoch)

        #expect(maya.attributes == ["plan": .string("gold")])
        #expect(omar.customerID == "omar" && omar.attributes.isEmpty)
    }

    @Test("A key has 1 to 64 visible ASCII characters", arguments: ["", "a b", "ü", "a\n", String(repeating: "k", count: 65)])
    func invalidKey(key: String) async throws {
        let store = try await TestStore()

        let error = await #expect(throws: InstallError.self) { try await change(store, [:], key: IdempotencyKey(key)) }

        #expect(error?.code == .invalidValue)
    }

    @Test(
        "A change beyond a limit is not applied at all",
        arguments: [
            ["good": .bool(true), "": .bool(true)],
            ["good": .bool(true), String(repeating: "k", count: 31): .bool(true)],
            ["good": .bool(true), "sp ace": .bool(true)],
            ["good": .bool(true), "schlüssel": .bool(true)],
            ["good": .bool(true), "long": .string(String(repeating: "x", count: 201))],
            ["good": .bool(true), "grapheme": .string("e" + String(repeating: "\u{FE0F}", count: 67))],
            ["good": .bool(true), "nan": .number(.nan)],
            Dictionary(uniqueKeysWithValues: (1...31).map { ("k\($0)", AttributeValue.bool(true)) }),
        ] as [[String: AttributeValue]])
    func limits(attributes: [String: AttributeValue]) async throws {
        let store = try await TestStore()

        let error = await #expect(throws: InstallError.self) { try await store.open(.mayasPhone, attributes: attributes) }

        #expect(error?.code == .invalidAttribute)
        #expect(try await store.install(.mayasPhone).attributes.isEmpty)
    }

    @Test("The limits themselves are allowed")
    func atTheLimits() async throws {
        let store = try await TestStore()
        var attributes = Dictionary(uniqueKeysWithValues: (1...29).map { ("k\($0)", AttributeValue.number(Double($0))) })
        attributes["A-Z.a_z0-9" + String(repeating: "k", count: 20)] = .string(String(repeating: "ü", count: 100))

        #expect(try await store.open(.mayasPhone, attributes: attributes).attributes == attributes)
    }
}
