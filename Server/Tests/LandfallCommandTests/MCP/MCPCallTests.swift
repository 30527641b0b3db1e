// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallCommand

@Suite("Calls of tools in one session", .timeLimit(.minutes(1)))
struct MCPCallTests {
    private static func held(_ limits: MCPSession.Limits = MCPSession.Limits()) async -> (Conversation, HeldTools) {
        let held = HeldTools()
        return (await Conversation.begun(.june2025, [held.tool], limits: limits), held)
    }

    private static func hold(_ number: Int, in conversation: Conversation) async {
        await conversation.call(number, "hold", #"{"number":\#(number)}"#)
    }

    @Test("run beside each other up to the limit, wait in order up to the next, and are refused beyond it")
    func bounded() async {
        let (conversation, held) = await Self.held(MCPSession.Limits(running: 2, waiting: 1))
        for number in 1...4 { await Self.hold(number, in: conversation) }

        let refused = await conversation.answer()
        let running = await conversation.session.running, waiting = await conversation.session.waiting
        held.open(2)
        let first = await conversation.answer()
        held.open(3)
        let second = await conversation.answer()
        held.open(1)
        let third = await conversation.answer()

        #expect(refused?["id"] == 4)
        #expect(refused?["error"]?["code"] == -32000)
        #expect(running == 2)
        #expect(waiting == [3])
        #expect([first, second, third].map { $0?["id"] } == [2, 3, 1])
    }

    @Test("that wait hold at most so many bytes")
    func bytes() async {
        let (conversation, _) = await Self.held(MCPSession.Limits(running: 1, waiting: 9, waitingBytes: 150))
        for number in 1...3 { await Self.hold(number, in: conversation) }

        let refused = await conversation.answer()
        let held = await conversation.session.waitingBytes

        #expect(refused?["id"] == 3)
        #expect(held > 75 && held <= 150)
    }

    @Test("are cancelled while they run: the tool hears of it, and nothing is answered")
    func cancelRunning() async {
        let (conversation, held) = await Self.held()
        await Self.hold(1, in: conversation)
        _ = await HeldTools.next(held.begun)
        await conversation.cancel(1)
        let cancelled = await HeldTools.next(held.cancelled)
        await Self.hold(2, in: conversation)
        held.open(2)
        let answer = await conversation.answer()

        #expect(cancelled == 1)
        #expect(answer?["id"] == 2)
    }

    @Test("are cancelled while they wait: the tool never begins")
    func cancelWaiting() async {
        let (conversation, held) = await Self.held(MCPSession.Limits(running: 1))
        for number in 1...3 { await Self.hold(number, in: conversation) }
        await conversation.cancel(2)
        held.open(1)
        held.open(3)
        let answers = [await conversation.answer()?["id"], await conversation.answer()?["id"]]
        let begun = [await HeldTools.next(held.begun), await HeldTools.next(held.begun)]
        let bytes = await conversation.session.waitingBytes

        #expect(answers == [1, 3])
        #expect(begun == [1, 3])
        #expect(bytes == 0)
    }

    @Test("have ids of their own while they run")
    func ids() async {
        let (conversation, held) = await Self.held()
        await Self.hold(1, in: conversation)
        await Self.hold(1, in: conversation)
        let refused = await conversation.answer()
        held.open(1)
        let answer = await conversation.answer()

        #expect(refused?["error"]?["code"] == -32600)
        #expect(answer?["result"]?["isError"] == false)
    }

    @Test("in a batch are answered in one line; a notification in it has no answer")
    func batch() async {
        let held = HeldTools()
        let conversation = await Conversation.begun(.march2025, [held.tool])
        held.open(1)
        let answers = await conversation.ask(
            #"""
            [{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","arguments":{"number":1}}},{"jsonrpc":"2.0","method":"notifications/x"},
            {"jsonrpc":"2.0","id":2,"method":"ping"},7,{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}]
            """#)
        await conversation.say(#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#)
        let next = await conversation.ask(#"[{"jsonrpc":"2.0","id":4,"method":"ping"}]"#)

        #expect(answers?.array?.count == 4)
        #expect(answers?.array?.first { $0["id"] == 1 }?["result"]?["isError"] == false)
        #expect(answers?.array?.first { $0["id"] == 2 }?["result"] == [:])
        #expect(answers?.array?.count { $0["error"]?["code"] == -32600 } == 2)
        #expect(next == [["jsonrpc": "2.0", "id": 4, "result": [:]]])
    }

    @Test("a batch with a cancelled call has the other answers")
    func cancelInBatch() async {
        let held = HeldTools()
        let conversation = await Conversation.begun(.march2025, [held.tool])
        await conversation.say(
            #"""
            [{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","arguments":{"number":1}}},{"jsonrpc":"2.0","id":2,"method":"ping"}]
            """#)
        await conversation.cancel(1)
        let answer = await conversation.answer()

        #expect(answer == [["jsonrpc": "2.0", "id": 2, "result": [:]]])
    }

    @Test("are answered before the end of the session, or cancelled when they take too long")
    func end() async {
        let (conversation, held) = await Self.held()
        await Self.hold(1, in: conversation)
        held.open(1)
        await conversation.session.end(within: .seconds(60))
        let answer = await conversation.answer()
        await Self.hold(2, in: conversation)
        await conversation.session.end(within: .zero)
        let cancelled = await HeldTools.next(held.cancelled)
        let left = await conversation.session.calls.count

        #expect(answer?["id"] == 1)
        #expect(cancelled == 2)
        #expect(left == 0)
    }
}
