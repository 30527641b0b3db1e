// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

@testable import LandfallCommand

/// A client of one session in this process: says lines, and reads the answers in the order in which they were written.
struct Conversation {
    let session: MCPSession
    private let answers: AsyncStream<JSONValue>

    init(_ tools: [MCPTool] = [], withheld: [String: String] = [:], limits: MCPSession.Limits = MCPSession.Limits()) {
        let (answers, answer) = AsyncStream.makeStream(of: JSONValue.self)
        self.answers = answers
        session = MCPSession(ServedTools(tools: tools, withheld: withheld), limits: limits) { line in
            answer.yield((try? WireCoding.decode(JSONValue.self, from: Data(line.utf8))) ?? .string(line))
        }
    }

    /// The same, after the handshake.
    static func begun(
        _ version: MCPVersion = .june2025, _ tools: [MCPTool] = [], withheld: [String: String] = [:],
        limits: MCPSession.Limits = MCPSession.Limits()
    ) async -> Conversation {
        let conversation = Conversation(tools, withheld: withheld, limits: limits)
        await conversation.say(Self.initialize(version.rawValue))
        _ = await conversation.answer()
        return conversation
    }

    static func initialize(_ version: String) -> String {
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
    }

    func say(_ line: String) async { await session.take(.text(Array(line.utf8))) }

    func call(_ id: Int, _ tool: String, _ arguments: String = "{}") async {
        await say(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#)
    }

    func cancel(_ id: Int) async {
        await say(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
    }

    /// The next answer; waits for it.
    func answer() async -> JSONValue? {
        var iterator = answers.makeAsyncIterator()
        return await iterator.next()
    }

    /// Says a line whose answer is the next one.
    func ask(_ line: String) async -> JSONValue? {
        await say(line)
        return await answer()
    }
}

/// Tools that go on until the test lets them end.
struct HeldTools: Sendable {
    let tool: MCPTool
    /// The numbers of the calls that have begun, and of those that heard of a cancellation.
    let begun: AsyncStream<Int64>
    let cancelled: AsyncStream<Int64>
    private let gates: [Int64: AsyncStream<Void>.Continuation]

    init(_ count: Int64 = 8) {
        let (begun, begin) = AsyncStream.makeStream(of: Int64.self), (cancelled, cancel) = AsyncStream.makeStream(of: Int64.self)
        (self.begun, self.cancelled) = (begun, cancelled)
        let made = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, AsyncStream.makeStream(of: Void.self)) })
        gates = made.mapValues { $0.continuation }
        let streams = made.mapValues { $0.stream }
        tool = MCPTool("hold", "Hold", "Waits.", [ToolArgument("number", .number(1...count), "Its gate.", isRequired: true)]) { arguments in
            let number = arguments.number("number") ?? 0
            begin.yield(number)
            if let gate = streams[number] { for await _ in gate {} }
            if Task.isCancelled {
                cancel.yield(number)
                throw CancellationError()
            }
            return ToolAnswer("\(number) has ended.")
        }
    }

    func open(_ number: Int64) { gates[number]?.finish() }

    static func next(_ numbers: AsyncStream<Int64>) async -> Int64? {
        var iterator = numbers.makeAsyncIterator()
        return await iterator.next()
    }
}
