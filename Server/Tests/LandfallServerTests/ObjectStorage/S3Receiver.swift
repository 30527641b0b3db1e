// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Synchronization

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A small S3-compatible store in memory. It refuses a request whose signature it does not compute itself from what arrived.
final class S3Receiver: OutboundHTTP {
    static let keyID = "AKIDEXAMPLE", secret = "a/secret+of=tests", region = "eu-central-1"

    struct Arrived: Hashable, Sendable {
        let method: String
        /// The path with the query, as it came.
        let target: String
        let headers: [String: String]
        let body: [UInt8]
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        static func fault(_ status: Int, _ code: String, _ headers: [String: String] = [:]) -> Answer {
            Answer(
                status: status, headers: headers,
                body: Array("<Error><Code>\(code)</Code><Message>Said &lt;to&gt; \(S3Receiver.keyID) \(S3Receiver.secret)</Message></Error>".utf8))
        }
    }

    /// No answer comes.
    private struct Silence: Error {}

    private struct Upload {
        let key: String
        let mark: String
        var parts: [Int: [UInt8]] = [:]
    }

    private struct State {
        var objects: [String: (bytes: [UInt8], mark: String)] = [:]
        var uploads: [String: Upload] = [:]
        var faults: [Answer] = []
        var arrived: [Arrived] = []
        var hidesNextCompletion = false
    }

    private let state = Mutex(State())

    var objects: [String: [UInt8]] { state.withLock { $0.objects.mapValues { $0.bytes } } }
    var unfinished: Int { state.withLock { $0.uploads.count } }
    var arrived: [Arrived] { state.withLock(\.arrived) }

    /// The next requests get these answers, and nothing else happens.
    func fail(_ faults: [Answer]) { state.withLock { $0.faults = faults } }

    /// The next upload is completed, and its answer is lost.
    func hideNextCompletion() { state.withLock { $0.hidesNextCompletion = true } }

    static func access(sessionToken: String? = nil, _ endpoint: String = "https://files.example.com") -> S3Access {
        S3Access(keyID: keyID, secret: secret, sessionToken: sessionToken, region: region, endpoint: S3Endpoint(endpoint) ?? .amazon(region: region))
    }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        guard let url = URL(string: call.url), let host = url.host() else { throw Silence() }
        let target = call.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last.map { "/" + $0 } ?? "/"
        var headers = Dictionary(call.headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        headers["host"] = host + (url.port.map { ":\($0)" } ?? "")
        let answer = answer(to: Arrived(method: call.method.rawValue, target: target, headers: headers, body: call.body ?? []))
        if answer.status == 0 { throw Silence() }
        return OutboundReply(status: answer.status, body: call.method == .head ? [] : answer.body, headers: answer.headers.map { ($0.key, $0.value) })
    }

    func answer(to request: Arrived) -> Answer {
        state.withLock { state in
            state.arrived.append(request)
            if !state.faults.isEmpty { return state.faults.removeFirst() }
            guard Self.isSigned(request) else { return .fault(403, "SignatureDoesNotMatch") }
            return Self.answer(to: request, &state)
        }
    }

    // MARK: - The store

    private static func answer(to request: Arrived, _ state: inout State) -> Answer {
        let parts = request.target.split(separator: "?", maxSplits: 1), path = parts[0].split(separator: "/", maxSplits: 1)
        guard path.first == "files" else { return .fault(404, "NoSuchBucket") }
        let key = path.count > 1 ? String(path[1]).removingPercentEncoding ?? "" : ""
        let query = Dictionary(
            (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(halves[0]), halves.count > 1 ? String(halves[1]).removingPercentEncoding ?? "" : "")
            }) { first, _ in first }
        switch request.method {
        case "POST": return posted(request, key, query, &state)
        case "PUT":
            guard let id = query["uploadId"] else {
                state.objects[key] = (request.body, "")
                return Answer()
            }
            guard let number = query["partNumber"].flatMap({ Int($0) }), state.uploads[id] != nil else { return .fault(404, "NoSuchUpload") }
            state.uploads[id]?.parts[number] = request.body
            return Answer(headers: ["ETag": "\"\(number)\""])
        case "DELETE":
            if let id = query["uploadId"] { state.uploads[id] = nil } else { state.objects[key] = nil }
            return Answer(status: 204)
        default:
            if query["list-type"] == "2" {
                let keys = state.objects.keys.filter { $0.hasPrefix(query["prefix"] ?? "") }.sorted()
                let after = query["continuation-token"], rest = keys.filter { after == nil || $0 > after ?? "" }
                let shown = rest.prefix(2), isCut = rest.count > 2
                let next = isCut ? "<NextContinuationToken>\(shown.last ?? "")</NextContinuationToken>" : ""
                return Answer(body: Array("<R><IsTruncated>\(isCut)</IsTruncated>\(next)\(shown.map { "<Key>\(S3Document.written($0))</Key>" }.joined())</R>".utf8))
            }
            guard let object = state.objects[key] else { return .fault(404, "NoSuchKey") }
            let headers = ["ETag": "\"e\"", "Content-Length": "\(object.bytes.count)", "x-amz-meta-landfall-upload": object.mark]
            guard let range = request.headers["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap({ Int($0) }), range.count == 2 else {
                return Answer(headers: headers, body: object.bytes)
            }
            return Answer(status: 206, body: Array(object.bytes[range[0]...range[1]]))
        }
    }

    private static func posted(_ request: Arrived, _ key: String, _ query: [String: String], _ state: inout State) -> Answer {
        guard let id = query["uploadId"] else {
            let id = "upload+\(state.arrived.count)="
            state.uploads[id] = Upload(key: key, mark: request.headers["x-amz-meta-landfall-upload"] ?? "")
            return Answer(body: Array("<R><UploadId>\(id)</UploadId></R>".utf8))
        }
        guard let upload = state.uploads.removeValue(forKey: id) else { return .fault(404, "NoSuchUpload") }
        let named = S3Document(request.body), numbers = named.all("PartNumber").compactMap { Int($0) }
        guard named.all("ETag") == numbers.map({ "\"\($0)\"" }) else { return .fault(400, "InvalidPart") }
        state.objects[upload.key] = (numbers.flatMap { upload.parts[$0] ?? [] }, upload.mark)
        defer { state.hidesNextCompletion = false }
        return state.hidesNextCompletion ? Answer(body: Array("<Error><Code>InternalError</Code></Error>".utf8)) : Answer()
    }

    // MARK: - Signatures, step by step as the specification has them

    private static func isSigned(_ request: Arrived) -> Bool {
        let fields = Dictionary(
            (request.headers["authorization"] ?? "").replacing("AWS4-HMAC-SHA256 ", with: "").split(separator: ",").map { field in
                let halves = field.split(separator: "=", maxSplits: 1)
                return (String(halves[0]).trimmingCharacters(in: .whitespaces), halves.count > 1 ? String(halves[1]) : "")
            }) { first, _ in first }
        guard let credential = fields["Credential"]?.split(separator: "/").map(String.init), credential.count == 5, credential[0] == keyID,
            let names = fields["SignedHeaders"]?.split(separator: ";").map(String.init), names.contains("host"), let stamp = request.headers["x-amz-date"]
        else { return false }
        let hash = hex(Data(SHA256.hash(data: Data(request.body))))
        guard request.headers["x-amz-content-sha256"] == hash else { return false }
        let parts = request.target.split(separator: "?", maxSplits: 1)
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").sorted().joined(separator: "&")
        var text = request.method + "\n" + parts[0] + "\n" + query + "\n"
        for name in names { text += "\(name):\(request.headers[name] ?? "?")\n" }
        text += "\n" + names.joined(separator: ";") + "\n" + hash
        let toSign = "AWS4-HMAC-SHA256\n\(stamp)\n" + credential.dropFirst().joined(separator: "/") + "\n" + hex(Data(SHA256.hash(data: Data(text.utf8))))
        var key = Data(("AWS4" + secret).utf8)
        for part in credential.dropFirst() { key = mac(part, key) }
        return fields["Signature"] == hex(mac(toSign, key)) && stamp.hasPrefix(credential[1]) && credential[2] == region
    }

    private static func mac(_ text: String, _ key: Data) -> Data { Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))) }

    private static func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }
}

/// Takes a request, and never answers.
struct SilentStore: OutboundHTTP {
    func send(_ call: OutboundCall) async throws -> OutboundReply {
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }
}

/// A clock that a test moves. Waits pass at once, and are noted; limits are never reached.
final class S3Time: Sendable {
    private let state: Mutex<(nowMs: Int64, waits: [Duration])>

    init(nowMs: Int64 = 1_790_000_000_000) { state = Mutex((nowMs, [])) }

    var waits: [Duration] { state.withLock { $0.waits } }

    func set(_ nowMs: Int64) { state.withLock { $0.nowMs = nowMs } }

    var server: ServerTime {
        ServerTime(
            nowMs: { self.state.withLock { $0.nowMs } },
            sleep: { duration in
                guard duration > .seconds(100) || duration == S3Bucket.lastPatience else { return self.state.withLock { $0.waits.append(duration) } }
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            })
    }
}
