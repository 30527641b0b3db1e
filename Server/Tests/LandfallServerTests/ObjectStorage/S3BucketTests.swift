// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Objects in a bucket", .timeLimit(.minutes(1)))
struct S3BucketTests {
    private let receiver = S3Receiver(), time = S3Time()

    private func bucket(_ access: S3Access = S3Receiver.access()) -> S3Bucket { S3Bucket("files", access, by: receiver, time: time.server) }

    private func upload(_ pieces: [Int], part: Int = 4, mark: String = "m") async throws -> [UInt8] {
        var upload = S3Upload(bucket(), "a/b.jsonl", part: part, mark: mark), all: [UInt8] = []
        for piece in pieces {
            let bytes = (0..<piece).map { UInt8(truncatingIfNeeded: all.count + $0) }
            all += bytes
            try await upload.append(bytes)
        }
        try await upload.finish()
        return all
    }

    @Test(
        "that are small are sent in one piece, others in equal parts and a last one",
        arguments: [([], 1, []), ([4], 1, []), ([3, 1], 1, []), ([3, 2], 4, [4, 1]), ([9], 5, [4, 4, 1]), ([1, 11], 5, [4, 4, 4])] as [([Int], Int, [Int])])
    func parts(pieces: [Int], requests: Int, parts: [Int]) async throws {
        let bytes = try await upload(pieces)

        #expect(receiver.objects == ["a/b.jsonl": bytes])
        #expect(receiver.arrived.count == requests)
        #expect(receiver.arrived.filter { $0.target.contains("partNumber") }.map(\.body.count) == parts)
        #expect(receiver.unfinished == 0 && time.waits.isEmpty)
    }

    @Test("Keys that end by themselves are signed with their token")
    func token() async throws {
        try await bucket(S3Receiver.access(sessionToken: "token")).put([1], as: "a")

        let sent = try #require(receiver.arrived.first)
        #expect(sent.headers["x-amz-security-token"] == "token" && sent.headers["authorization"]?.contains("x-amz-security-token") == true)
        #expect(receiver.objects["a"] == [1])
    }

    @Test("A store that is busy, failing or silent is asked again, with growing waits")
    func again() async throws {
        receiver.fail([.fault(500, "InternalError"), .fault(503, "SlowDown", ["Retry-After": "9"]), S3Receiver.Answer(status: 0), .fault(429, "Slow")])

        let bytes = try await upload([3])

        #expect(receiver.objects == ["a/b.jsonl": bytes])
        #expect(time.waits == [.seconds(1), .seconds(9), .seconds(4), .seconds(8)])
    }

    @Test(
        "At last, and where a second try would not help, a sentence says why, without keys",
        arguments: [
            (Array(repeating: S3Receiver.Answer.fault(503, "SlowDown"), count: 9), S3Failure.Kind.failing, 6, "503 (SlowDown: Said <to> … …)"),
            (Array(repeating: S3Receiver.Answer(status: 0), count: 9), .unreachable, 6, "AWS_ENDPOINT_URL_S3"),
            ([.fault(503, "SlowDown", ["Retry-After": "3600"])], .failing, 1, "Try again later"),
            ([.fault(403, "RequestTimeTooSkewed")], .refused, 1, "this machine's clock"),
            ([.fault(301, "PermanentRedirect", ["x-amz-bucket-region": "eu-west-3"])], .elsewhere, 1, "The bucket is in eu-west-3. Set AWS_REGION"),
            ([.fault(404, "NoSuchBucket")], .noBucket, 1, "Create the bucket"), ([.fault(400, "EntityTooSmall")], .unexpected, 1, "EntityTooSmall"),
        ] as [([S3Receiver.Answer], S3Failure.Kind, Int, String)])
    func failures(answers: [S3Receiver.Answer], kind: S3Failure.Kind, tries: Int, sentence: String) async throws {
        receiver.fail(answers)

        let error = await #expect(throws: S3Failure.self) { _ = try await upload([9]) }

        #expect(error?.kind == kind && receiver.arrived.count == tries)
        let text = "\(error?.description ?? "")"
        #expect(text.contains(sentence), "\(text)")
        #expect(!text.contains(S3Receiver.secret) && !text.contains(S3Receiver.keyID))
    }

    @Test("A completion whose answer was lost is found by its mark; another's object is not taken for it")
    func lost() async throws {
        receiver.hideNextCompletion()
        let bytes = try await upload([9], mark: "mine")
        #expect(receiver.objects == ["a/b.jsonl": bytes])

        var other = S3Upload(bucket(), "a/b.jsonl", part: 4, mark: "other")
        try await other.append([UInt8](repeating: 1, count: 9))
        receiver.fail([S3Receiver.Answer(headers: ["ETag": "\"3\""]), .fault(404, "NoSuchUpload")])
        let error = await #expect(throws: S3Failure.self) { try await other.finish() }
        #expect(error?.kind == .noObject)
    }

    @Test("An upload that is given up leaves nothing behind, also if its task is cancelled")
    func aborted() async throws {
        let bucket = bucket()
        try await Task {
            var upload = S3Upload(bucket, "a", part: 4)
            try await upload.append([UInt8](repeating: 1, count: 9))
            withUnsafeCurrentTask { $0?.cancel() }
            await upload.abort()
        }.value

        #expect(receiver.unfinished == 0 && receiver.objects.isEmpty)
        #expect(receiver.arrived.last?.method == "DELETE")
    }

    @Test("A request after which the caller ends waits ten seconds for a silent store, and is not sent again")
    func last() async throws {
        let time = ServerTime(
            nowMs: { 0 },
            sleep: { duration in
                guard duration > .seconds(10) else { return }
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            })
        let bucket = S3Bucket("files", S3Receiver.access(), by: SilentStore(), time: time)

        let error = await #expect(throws: S3Failure.self) { _ = try await bucket.send(.delete, "a", isLast: true, "the end") }

        #expect(error?.detail == "The store did not answer the end in 10.0 seconds.")
    }

    @Test("are read part by part, listed in the order of bytes, and removed")
    func read() async throws {
        let bucket = bucket()
        for key in ["p/c", "p/a&b", "p/b", "q"] { try await bucket.put(Array(key.utf8), as: key) }
        var bytes: [UInt8] = [], told: [Int64] = []

        let all = try await bucket.read("p/a&b", part: 2) { part, done, _ in
            bytes += part
            told.append(done)
        }

        #expect(bytes == Array("p/a&b".utf8) && all == 5 && told == [2, 4, 5])
        #expect(try await bucket.keys(beginning: "p/") == ["p/a&b", "p/b", "p/c"])
        try await bucket.remove("p/b")
        let error = await #expect(throws: S3Failure.self) { try await bucket.read("p/b") { _, _, _ in } }
        #expect(error?.kind == .noObject)
    }

    @Test("have any name over real HTTP: what is signed is what arrives")
    func wire() async throws {
        let router = Router(), receiver = receiver
        for method in [HTTPRequest.Method.get, .put, .post, .delete, .head] {
            router.on("**", method: method) { request, _ in
                let sent = try await request.body.collect(upTo: 1 << 20)
                var headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
                headers["host"] = request.head.authority
                let answer = receiver.answer(
                    to: .init(method: request.method.rawValue, target: request.head.path ?? "", headers: headers, body: Array(sent.readableBytesView)))
                var fields = HTTPFields()
                for (name, value) in answer.headers { if let name = HTTPField.Name(name), name != .contentLength { fields[name] = value } }
                let body = ByteBuffer(bytes: answer.body)
                // The size of the object, and nothing of it.
                let head = ResponseBody(contentLength: answer.body.count) { try await $0.finish(nil) }
                return Response(status: .init(code: answer.status), headers: fields, body: request.method == .head ? head : ResponseBody(byteBuffer: body))
            }
        }
        try await Application(router: router).test(.live) { client in
            let outbound = LiveOutboundHTTP(), port = try #require(client.port)
            let running = Task { try await outbound.run() }
            let result = await Task {
                let bucket = S3Bucket("files", S3Receiver.access("http://127.0.0.1:\(port)"), by: outbound, time: time.server)
                var upload = S3Upload(bucket, "a b/ü+%(1)~.jsonl", part: 4)
                try await upload.append(Array("123456789".utf8))
                try await upload.finish()
                try await bucket.put([], as: "empty")
                var bytes: [UInt8] = []
                for key in try await bucket.keys(beginning: "a b/") { try await bucket.read(key, part: 4) { part, _, _ in bytes += part } }
                return bytes
            }.result
            running.cancel()
            _ = await running.result

            #expect(try result.get() == Array("123456789".utf8))
            #expect(receiver.objects.keys.sorted() == ["a b/ü+%(1)~.jsonl", "empty"])
        }
    }
}
