// SPDX-License-Identifier: Apache-2.0
@testable import LandfallServer
import LandfallWire
import Testing

@Suite("Custom attributes", .timeLimit(.minutes(1)))
struct AttributeTests {
    private func change(
        _ store: TestStore, _ attributes: [String: AttributeValue?], key: IdempotencyKey = "k"
    ) async throws -> Install {
        try await store.installs.change(
            TestStore.app, .mayasPhone, AttributeChanges(key: key, attributes: attributes), nowMs: TestStore.noon
        )
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
