// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import Testing

@Suite("Scripted ad tokens", .timeLimit(.minutes(1)))
struct ScriptedAdTokensTests {
    @Test("come in order, and the last one again and again")
    func order() async throws {
        let tokens = ScriptedAdTokens(.failure(.network), .token("a"), .token("b"))

        await #expect(throws: AdTokenError.network) { try await tokens.token() }
        #expect(try await tokens.token() == "a")
        #expect(try await tokens.token() == "b")
        #expect(try await tokens.token() == "b")
        #expect(tokens.askCount == 4)
    }

    @Test("that are held notice a cancelled caller")
    func held() async {
        let tokens = ScriptedAdTokens(.held)
        let caller = Task { try await tokens.token() }
        await tokens.waitForAsks()

        caller.cancel()

        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test("that hang do not notice it, and arrive when they are released")
    func hung() async throws {
        let tokens = ScriptedAdTokens(.hung)
        let caller = Task { try await tokens.token() }
        await tokens.waitForAsks()

        caller.cancel()
        tokens.release(.token("late"))

        #expect(try await caller.value == "late")
    }
}
