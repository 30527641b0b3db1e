// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// With what an S3-compatible store is asked. It is never part of a log line or of an error.
package struct S3Access: Sendable, Redacted {
    package static let keyVariable = "AWS_ACCESS_KEY_ID", secretVariable = "AWS_SECRET_ACCESS_KEY", tokenVariable = "AWS_SESSION_TOKEN"
    package static let regionVariable = "AWS_REGION", endpointVariable = "AWS_ENDPOINT_URL_S3"
    /// Older names, which other programs read too.
    private static let otherRegion = "AWS_DEFAULT_REGION", otherEndpoint = "AWS_ENDPOINT_URL"
    /// What stores without regions take.
    private static let usualRegion = "us-east-1"

    let keyID: String
    let secret: String
    /// Of keys that end by themselves.
    let sessionToken: String?
    let region: String
    let endpoint: S3Endpoint

    init(keyID: String, secret: String, sessionToken: String? = nil, region: String, endpoint: S3Endpoint) {
        (self.keyID, self.secret, self.sessionToken, self.region, self.endpoint) = (keyID, secret, sessionToken, region, endpoint)
    }

    /// - Parameters:
    ///   - environment: looks up the usual variables.
    ///   - endpoint: of a command line; wins over the environment.
    ///   - region: the same.
    /// - Throws: ``S3AccessError``
    package init(
        environment: (String) -> String? = { ProcessEnvironment.value(of: $0) }, endpoint: String? = nil, region: String? = nil
    ) throws(S3AccessError) {
        func text(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        let missing = [Self.keyVariable, Self.secretVariable].filter { text($0) == nil }
        guard let keyID = text(Self.keyVariable), let secret = text(Self.secretVariable) else { throw .missing(missing) }
        for (name, value) in [(Self.keyVariable, keyID), (Self.secretVariable, secret), (Self.tokenVariable, text(Self.tokenVariable) ?? "")] {
            guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unreadable(name) }
        }
        let address = endpoint ?? text(Self.endpointVariable) ?? text(Self.otherEndpoint)
        guard let region = region ?? text(Self.regionVariable) ?? text(Self.otherRegion) ?? (address == nil ? nil : Self.usualRegion) else {
            throw .missing([Self.regionVariable])
        }
        guard (1...40).contains(region.utf8.count), region.utf8.allSatisfy(Self.isOfRegion) else { throw .region(region.shortened) }
        var place = S3Endpoint.amazon(region: region)
        if let address {
            guard let own = S3Endpoint(address) else { throw .endpoint }
            place = own
        }
        self.init(keyID: keyID, secret: secret, sessionToken: text(Self.tokenVariable), region: region, endpoint: place)
    }

    private static func isOfRegion(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// The text without what is secret, should another server repeat it.
    func withoutSecrets(_ text: String) -> String {
        [secret, sessionToken ?? "", keyID].filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: "…") }
    }
}

/// The environment does not say with what a bucket is asked.
package enum S3AccessError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing([String])
    case unreadable(String)
    case region(String)
    /// It may contain a password, so it is not repeated.
    case endpoint

    package var description: String {
        switch self {
        case .missing(let names):
            "A bucket needs \(names.joined(separator: " and ")) in the environment. Set the variable, or give the service a credential of that name."
        case .unreadable(let name): "\(name) has a space, a line break or another character that no key has. Copy the key again."
        case .region(let text): "The region '\(text)' is not valid. Write it as your provider does, such as eu-central-1."
        case .endpoint:
            "The endpoint of the bucket is not valid. Write https://HOST, without a name and a password; http:// only to a loopback address, or to a name without a point."
        }
    }
}
