// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallCommand

@Suite("A session of the Model Context Protocol", .timeLimit(.minutes(1)))
struct MCPSessionTests {
    @Test(
        "has the revision that the client asks for, or the newest one here",
        arguments: [
            ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
            ("2026-07-28", "2025-11-25"), ("", "2025-11-25"),
        ])
    func version(asked: String, expected: String) async {
        let answer = await Conversation().ask(Conversation.initialize(asked))

        #expect(answer?["result"]?["protocolVersion"] == .string(expected))
        #expect(answer?["result"]?["capabilities"] == ["tools": [:]])
        #expect(answer?["result"]?["serverInfo"]?["name"] == "landfall")
    }

    @Test("begins with 'initialize', once; a ping is answered before")
    func begin() async {
        let conversation = Conversation()
        let ping = await conversation.ask(#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)
        let early = await conversation.ask(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        let first = await conversation.ask(Conversation.initialize("2025-06-18"))
        let second = await conversation.ask(Conversation.initialize("2025-06-18"))
        let nameless = await Conversation().ask(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)

        #expect(ping == ["jsonrpc": "2.0", "id": "p", "result": [:]])
        #expect(early?["error"]?["code"] == -32600)
        #expect(first?["result"] != nil)
        #expect(second?["error"]?["code"] == -32600)
        #expect(nameless?["error"]?["code"] == -32602)
    }

    @Test(
        "answers a wrong message with its code and id, and goes on",
        arguments: [
            ("{", -32700, JSONValue.null), ("{\"a\":01}", -32700, .null), ("7", -32600, .null), ("[]", -32600, .null), ("{}", -32600, .null),
            (#"{"id":1,"method":"ping"}"#, -32600, 1), (#"{"jsonrpc":"2.0","id":1}"#, -32600, 1),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, .null), (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600, .null),
            (#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32600, 1), (#"{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}"#, -32602, "a"),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601, 1),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32602, 1),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602, 1),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#, -32602, 1),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":[]}}"#, -32602, 1),
            (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, .null),
        ])
    func wrong(line: String, code: Int64, id: JSONValue) async {
        let conversation = await Conversation.begun(.june2025, [Self.say])

        let answer = await conversation.ask(line)
        let next = await conversation.ask(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)

        #expect(answer?["error"]?["code"] == .integer(code))
        #expect(answer?["error"]?["message"]?.string?.hasSuffix(".") == true)
        #expect(answer?["id"] == id)
        #expect(next?["id"] == 9)
    }

    @Test("answers a line that is too long, and goes on")
    func long() async {
        let conversation = await Conversation.begun()
        await conversation.session.take(.tooLong)
        let answer = await conversation.answer()
        let next = await conversation.ask(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)

        #expect(answer?["error"]?["code"] == -32600)
        #expect(next?["id"] == 9)
    }

    @Test("answers no notification, and no answer", arguments: ["notifications/initialized", "notifications/cancelled", "notifications/unknown"])
    func notification(method: String) async {
        let conversation = await Conversation.begun()
        await conversation.say(#"{"jsonrpc":"2.0","method":"\#(method)","params":{"requestId":1}}"#)
        await conversation.say(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        let next = await conversation.ask(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)

        #expect(next?["id"] == 9)
    }

    @Test("says a wrong argument, and the error of a tool, in the tool's answer")
    func toolErrors() async {
        let conversation = await Conversation.begun(.june2025, [Self.say])
        await conversation.call(1, "say", #"{"text":7}"#)
        let wrong = await conversation.answer()
        await conversation.call(2, "say", #"{"text":"fail"}"#)
        let failed = await conversation.answer()
        await conversation.call(3, "say", #"{"text":"hello"}"#)
        let right = await conversation.answer()

        #expect(wrong?["result"] == ["isError": true, "content": [["type": "text", "text": "'text' is not a text."]]])
        #expect(failed?["result"] == ["isError": true, "content": [["type": "text", "text": "It failed."]]])
        #expect(
            right?["result"] == [
                "isError": false, "content": [["type": "text", "text": "hello"]], "structuredContent": ["said": "hello"],
            ])
    }

    @Test("lists a tool that it lacks nowhere, and refuses it with the reason")
    func withheld() async {
        let conversation = await Conversation.begun(.june2025, [Self.say], withheld: ["publish": "Not in this session."])
        let list = await conversation.ask(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        await conversation.call(2, "publish")
        let refused = await conversation.answer()

        #expect(list?["result"]?["tools"]?.array?.compactMap { $0["name"] } == ["say"])
        #expect(refused?["error"] == ["code": -32602, "message": "Not in this session."])
    }

    static let say = MCPTool("say", "Say", "Says the text.", [ToolArgument("text", .text(10), "The text.")]) { arguments in
        guard arguments.text("text") != "fail" else { throw ArgumentFault("It failed.") }
        return ToolAnswer(arguments.text("text") ?? "", document: ["said": .string(arguments.text("text") ?? "")])
    }
}
