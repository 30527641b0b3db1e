// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules
import LandfallStore

/// A request to an S3-compatible store, before it is signed.
struct S3Request: Sendable {
    var method: OutboundCall.Method
    /// With its percent signs.
    var path: String
    /// By name, as they are; signed in the order of bytes.
    var query: [(name: String, value: String)] = []
    /// By lower-case name. All of them are signed.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    /// Sorted by what is sent.
    var queryText: String {
        query.map { ($0.name.percentEncoded, $0.value.percentEncoded) }
            .sorted { $0.0 == $1.0 ? $0.1.utf8.lexicographicallyPrecedes($1.1.utf8) : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

/// AWS Signature Version 4, in the header `Authorization`. The body is part of what is signed.
struct S3Signature: Sendable {
    private static let algorithm = "AWS4-HMAC-SHA256"

    let access: S3Access

    /// - Parameter host: as in the header `Host`, which the client adds itself.
    /// - Returns: all headers to send besides `Host`.
    func headers(of request: S3Request, host: String, nowMs: Int64) -> [String: String] {
        let stamp = Self.stamp(nowMs), day = String(stamp.prefix(8))
        let bodyHash = Array(SHA256.hash(data: request.body)).hexadecimal
        var headers = request.headers
        headers["x-amz-content-sha256"] = bodyHash
        headers["x-amz-date"] = stamp
        headers["x-amz-security-token"] = access.sessionToken

        var signed = headers
        signed["host"] = host
        let names = signed.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let canonical =
            [request.method.rawValue, request.path, request.queryText] + names.map { "\($0):\(signed[$0] ?? "")" }
            + ["", names.joined(separator: ";"), bodyHash]
        let scope = "\(day)/\(access.region)/s3/aws4_request"
        let text = [Self.algorithm, stamp, scope, Array(SHA256.hash(data: Data(canonical.joined(separator: "\n").utf8))).hexadecimal]
        let signature = Self.code(text.joined(separator: "\n"), key(of: day)).hexadecimal
        headers["authorization"] =
            "\(Self.algorithm) Credential=\(access.keyID)/\(scope),SignedHeaders=\(names.joined(separator: ";")),Signature=\(signature)"
        return headers
    }

    /// Of a day, a region and a service: who sees it can sign nothing else.
    private func key(of day: String) -> [UInt8] {
        [day, access.region, "s3", "aws4_request"].reduce(Array("AWS4\(access.secret)".utf8)) { Self.code($1, $0) }
    }

    private static func code(_ text: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    /// `20261128T101500Z`
    static func stamp(_ nowMs: Int64) -> String {
        Instant(milliseconds: nowMs / 1_000 * 1_000).description.filter { $0 != "-" && $0 != ":" }
    }
}
