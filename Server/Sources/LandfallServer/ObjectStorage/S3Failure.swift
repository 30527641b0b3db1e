// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// An S3-compatible store did not do what it was asked.
package struct S3Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A label of metrics.
    package enum Kind: String, CaseIterable, Sendable {
        /// No answer.
        case unreachable
        /// 5xx, or too many requests, again and again.
        case failing
        /// The key is unknown, or it may not do this.
        case refused
        /// The bucket is in another region, or at another endpoint.
        case elsewhere
        case noBucket = "no_bucket"
        case noObject = "no_object"
        /// An answer that this release does not understand.
        case unexpected
        /// More parts than an object can have.
        case tooLarge = "too_large"
    }

    static let longestDetail = 300

    package let kind: Kind
    /// What happened, with the status and the store's own words; without secrets.
    package let detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = String(detail.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }).cut(toBytes: Self.longestDetail)
    }

    package var description: String { "\(detail) \(advice)" }

    private var advice: String {
        switch kind {
        case .unreachable: "Look at the endpoint (\(S3Access.endpointVariable)) and at this machine's way out."
        case .failing: "Try again later; look at your provider's status page."
        case .refused:
            "Look at \(S3Access.keyVariable), \(S3Access.secretVariable) and this machine's clock, and at whether the key may do this."
        case .elsewhere: "Set \(S3Access.regionVariable), or \(S3Access.endpointVariable) for another provider."
        case .noBucket: "Create the bucket, or correct its name."
        case .noObject: "Look at the name; objects of buckets are never looked for elsewhere."
        case .unexpected: "Look at the endpoint: it has to be the one of an S3-compatible store."
        case .tooLarge: "Write it in smaller files."
        }
    }
}

extension S3Failure {
    /// - Parameter what: was asked, in messages.
    init(_ reply: OutboundReply, _ what: String, _ access: S3Access) {
        let document = S3Document(reply.body), code = document.first("Code")
        let words = [code, document.first("Message")].compactMap(\.self).joined(separator: ": ")
        // Cut afterwards: half a secret would not be found.
        let said = access.withoutSecrets(words).cut(toBytes: Self.longestDetail)
        let region = reply.header("x-amz-bucket-region").map { " The bucket is in \($0.cut(toBytes: 40))." } ?? ""
        self.init(Self.kind(reply.status, code), "The store answers \(reply.status)\(said.isEmpty ? "" : " (\(said))") to \(what).\(region)")
    }

    private static func kind(_ status: Int, _ code: String?) -> Kind {
        switch (status, code) {
        case (_, "NoSuchBucket"): .noBucket
        case (300..<400, _), (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"): .elsewhere
        case (401, _), (403, _): .refused
        case (404, _), (412, _): .noObject
        case (408, _), (429, _), (500..., _): .failing
        case (200, "InternalError"), (200, "SlowDown"), (200, "ServiceUnavailable"), (400, "RequestTimeout"): .failing
        default: .unexpected
        }
    }
}
