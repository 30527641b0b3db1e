// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// One client's session: takes its messages in order, and answers each request once.
///
/// Calls of tools run beside each other, at most ``Limits/running`` at a time; the others wait in order. Everything else is answered at once.
/// An actor, because calls end while further messages are taken.
actor MCPSession {
    struct Limits {
        var running = 4
        var waiting = 64
        /// In bytes, of the messages of the calls that wait.
        var waitingBytes = 16 * 1024 * 1024
    }

    /// Where an answer goes: a line of its own, or the line of a batch.
    enum Place: Hashable {
        case line
        case batch(Int)
    }

    /// A call of a tool until it is answered or, after a cancellation, until its tool has ended.
    struct Call {
        let tool: MCPTool
        let arguments: ToolArguments
        let place: Place
        let bytes: Int
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private struct Batch {
        var left: Int
        var answers: [JSONValue] = []
    }

    let server: ServedTools
    let limits: Limits
    private let send: @Sendable (String) -> Void
    private(set) var version: MCPVersion?
    private(set) var calls: [JSONValue: Call] = [:]
    private(set) var waiting: [JSONValue] = []
    private(set) var waitingBytes = 0
    private(set) var running = 0
    private var batches: [Int: Batch] = [:]
    private var batchCount = 0
    private var idle: [CheckedContinuation<Void, Never>] = []

    /// - Parameter send: writes one line to the client.
    init(_ server: ServedTools, limits: Limits = Limits(), send: @escaping @Sendable (String) -> Void) {
        (self.server, self.limits, self.send) = (server, limits, send)
    }

    func take(_ line: MessageLines.Line) {
        do throws(RPCFault) {
            guard case .text(let bytes) = line else {
                throw RPCFault(.notRequest, "The line has more than \(MessageLines.longest) bytes. Send less in one message.")
            }
            switch try RPCMessage.Line(bytes) {
            case .message(let message): take(message, bytes.count, .line)
            case .batch(let messages): try take(messages, bytes.count)
            }
        } catch { answer(error.answer, .line) }
    }

    private func take(_ messages: [JSONValue], _ bytes: Int) throws(RPCFault) {
        guard version?.takesBatches == true else {
            throw RPCFault(.notRequest, "This revision of the protocol has no batches. Write each message as a line of its own.")
        }
        guard !messages.isEmpty else { throw RPCFault(.notRequest, "The batch is empty. Leave it out.") }
        batchCount += 1
        let number = batchCount
        batches[number] = Batch(left: messages.count)
        for message in messages { take(message, bytes / messages.count, .batch(number)) }
    }

    private func take(_ message: JSONValue, _ bytes: Int, _ place: Place) {
        do throws(RPCFault) {
            switch try RPCMessage(message) {
            case .request(let id, let method, let parameters):
                do throws(RPCFault) { try carryOut(method, parameters, id, bytes, place) } catch {
                    answer(RPCFault(error.code, error.message, id: id).answer, place)
                }
            case .notification(let method, let parameters):
                if method == "notifications/cancelled", let id = parameters["requestId"] { cancel(id) }
                answer(nil, place)
            case .answer: answer(nil, place)
            }
        } catch { answer(error.answer, place) }
    }

    private func carryOut(
        _ method: String, _ parameters: [String: JSONValue], _ id: JSONValue, _ bytes: Int, _ place: Place
    ) throws(RPCFault) {
        switch method {
        case "ping": answer(RPCMessage.result([:], of: id), place)
        case "initialize":
            guard place == .line else { throw RPCFault(.notRequest, "'initialize' is in no batch. Send it alone.") }
            answer(RPCMessage.result(try begin(parameters), of: id), place)
        case "tools/list": answer(RPCMessage.result(try server.list(parameters, try begun()), of: id), place)
        case "tools/call":
            _ = try begun()
            let (tool, arguments) = try server.call(parameters)
            switch arguments {
            case .success(let arguments): try queue(Call(tool: tool, arguments: arguments, place: place, bytes: bytes), id)
            case .failure(let fault): finish(.failed("\(fault)"), id, place)
            }
        default:
            throw RPCFault(
                .unknownMethod,
                "There is no method '\(method.shortened)'."
                    + Suggestion.sentence(for: method, among: ["initialize", "ping", "tools/list", "tools/call"]))
        }
    }

    private func begin(_ parameters: [String: JSONValue]) throws(RPCFault) -> JSONValue {
        guard version == nil else { throw RPCFault(.notRequest, "The session has begun. Send 'initialize' once.") }
        guard let asked = parameters["protocolVersion"]?.string else {
            throw RPCFault(.wrongParameters, "'protocolVersion' is missing. Write a revision, such as \(MCPVersion.june2025.rawValue).")
        }
        let version = MCPVersion(askedFor: asked)
        self.version = version
        return server.greeting(version)
    }

    private func begun() throws(RPCFault) -> MCPVersion {
        guard let version else { throw RPCFault(.notRequest, "The session has not begun. Send 'initialize' first.") }
        return version
    }

    // MARK: - Calls

    private func queue(_ call: Call, _ id: JSONValue) throws(RPCFault) {
        guard calls[id] == nil else { throw RPCFault(.notRequest, "Another request with this id is not answered yet. Give each request its own.") }
        guard running < limits.running || waiting.count < limits.waiting && waitingBytes + call.bytes <= limits.waitingBytes else {
            throw RPCFault(.busy, "\(calls.count) calls are not answered yet. Repeat this one after an answer.")
        }
        calls[id] = call
        waiting.append(id)
        waitingBytes += call.bytes
        startNext()
    }

    private func startNext() {
        while running < limits.running, !waiting.isEmpty {
            let id = waiting.removeFirst()
            guard let call = calls[id] else { continue }
            waitingBytes -= call.bytes
            running += 1
            calls[id]?.task = Task {
                let answer: ToolAnswer
                do { answer = try await call.tool.run(call.arguments) } catch { answer = ServedTools.answer(to: error) }
                end(answer, id)
            }
        }
    }

    private func end(_ answer: ToolAnswer, _ id: JSONValue) {
        running -= 1
        if let call = calls.removeValue(forKey: id) {
            if call.isCancelled { self.answer(nil, call.place) } else { finish(answer, id, call.place) }
        }
        startNext()
        wakeIfIdle()
    }

    private func finish(_ answer: ToolAnswer, _ id: JSONValue, _ place: Place) {
        guard let version, let result = try? answer.result(version) else {
            return self.answer(RPCFault(.internalError, "The answer cannot be written as JSON.", id: id).answer, place)
        }
        self.answer(RPCMessage.result(result, of: id), place)
    }

    /// A cancelled request is not answered. An id that is not there any more is no fault: the answer may have been on its way.
    private func cancel(_ id: JSONValue) {
        guard let call = calls[id] else { return }
        if let task = call.task {
            calls[id]?.isCancelled = true
            task.cancel()
        } else {
            calls[id] = nil
            waiting.removeAll { $0 == id }
            waitingBytes -= call.bytes
            answer(nil, call.place)
        }
    }

    // MARK: - Answers

    /// - Parameter answer: nil for a message that has none.
    private func answer(_ answer: JSONValue?, _ place: Place) {
        switch place {
        case .line: if let answer { write(answer) }
        case .batch(let number):
            guard var batch = batches[number] else { return }
            batch.left -= 1
            if let answer { batch.answers.append(answer) }
            batches[number] = batch.left > 0 ? batch : nil
            if batch.left == 0, !batch.answers.isEmpty { write(.array(batch.answers)) }
        }
    }

    private func write(_ answer: JSONValue) {
        // A value that was decoded from JSON can be encoded.
        guard let json = try? WireCoding.encode(answer) else { return }
        send(String(decoding: json, as: UTF8.self))
    }

    // MARK: - The end

    /// Waits until every call is answered; those that take longer are cancelled.
    func end(within patience: Duration) async {
        let bound = Task {
            try await Task.sleep(for: patience)
            for id in calls.keys { cancel(id) }
        }
        await untilIdle()
        bound.cancel()
    }

    private func untilIdle() async {
        guard !calls.isEmpty else { return }
        await withCheckedContinuation { idle.append($0) }
    }

    private func wakeIfIdle() {
        guard calls.isEmpty else { return }
        for continuation in idle { continuation.resume() }
        idle = []
    }
}
