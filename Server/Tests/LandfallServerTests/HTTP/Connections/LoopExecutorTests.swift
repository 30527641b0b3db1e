// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HTTPTypes
import Hummingbird
import LandfallWire
import Logging
import NIOEmbedded
import NIOPosix
import Testing

@testable import LandfallServer

@Suite("Requests on their connection's loop", .timeLimit(.minutes(1)))
struct LoopExecutorTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test("A connection's task runs on the thread of its loop, and goes on there after a wait")
    func there() async {
        let handlings = Handlings()
        let (threads, told) = AsyncStream.makeStream(of: Bool.self)

        handlings.begin(.medium, on: LoopExecutor(loop)) { [loop] in
            told.yield(loop.inEventLoop)
            await Task.detached { #expect(!loop.inEventLoop) }.value
            told.yield(loop.inEventLoop)
            await Task(executorPreference: LoopExecutor.current) { told.yield(loop.inEventLoop) }.value
            told.finish()
        }

        #expect(await threads.reduce(into: []) { $0.append($1) } == [true, true, true])
        await handlings.ended()
    }

    @Test("Jobs above the most that may wait for a loop run beside it")
    func beside() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1), loop = group.next()
        let executor = LoopExecutor(loop), gate = DispatchSemaphore(value: 0)
        loop.execute { gate.wait() }

        let tasks = (0..<LoopExecutor.mostJobs + 8).map { _ in Task(executorPreference: executor) { loop.inEventLoop } }
        for task in tasks.dropFirst(LoopExecutor.mostJobs) { #expect(await !task.value) }
        gate.signal()
        for task in tasks.prefix(LoopExecutor.mostJobs) { #expect(await task.value) }

        try await group.shutdownGracefully()
    }

    @Test(
        "Only small reports of phones stay on the loop",
        arguments: [
            (.post, WirePath.firstOpen, "700", true), (.post, WirePath.events, "16384", true), (.post, WirePath.adToken, "60", true),
            (.post, WirePath.events, "16385", false), (.post, WirePath.events, nil, false), (.post, WirePath.events, "many", false),
            (.get, WirePath.firstOpen, "700", false), (.post, WirePath.purchases, "700", false), (.post, "/console/login", "60", false),
            (.get, "/v1/reports/campaigns", nil, false),
        ] as [(HTTPRequest.Method, String, String?, Bool)])
    func brief(method: HTTPRequest.Method, path: String, length: String?, isBrief: Bool) async throws {
        var head = HTTPRequest(method: method, scheme: "http", authority: "api.example.com", path: path)
        if let length { head.headerFields[.contentLength] = length }
        #expect(BriefRequests.isBrief(head) == isBrief)
        let context = AppContext(source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        let (threads, told) = AsyncStream.makeStream(of: Bool.self)

        let handlings = Handlings()
        handlings.begin(.medium, on: LoopExecutor(loop)) { [loop] in
            _ = try? await BriefRequests().handle(request, context: context) { _, _ in
                told.yield(loop.inEventLoop)
                return Response(status: .ok)
            }
            told.yield(loop.inEventLoop)
            told.finish()
        }

        #expect(await threads.reduce(into: []) { $0.append($1) } == [isBrief, true])
        await handlings.ended()
    }
}
