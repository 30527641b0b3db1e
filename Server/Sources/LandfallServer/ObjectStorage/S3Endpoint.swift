// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where buckets are, and how the name of one is part of the address.
package struct S3Endpoint: Hashable, Sendable {
    /// As in `Host`, with a port that is not the usual one.
    private let host: String
    private let scheme: String
    /// Before the bucket; without a slash at its end.
    private let path: String
    /// The bucket is the first part of the host, as Amazon wants it. Other stores take it as the first part of the path.
    private let isBucketInHost: Bool

    private init(host: String, scheme: String = "https", path: String = "", isBucketInHost: Bool) {
        (self.host, self.scheme, self.path, self.isBucketInHost) = (host, scheme, path, isBucketInHost)
    }

    static func amazon(region: String) -> S3Endpoint {
        S3Endpoint(host: "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : ""), isBucketInHost: true)
    }

    /// Nil for a text that is not https. http is possible to this machine, and to a name without a point, as containers have them.
    init?(_ text: String) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let name = url.host(percentEncoded: true)?.lowercased(), !name.isEmpty,
            url.user == nil, url.password == nil, url.query() == nil, url.fragment() == nil
        else { return nil }
        guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let isLoopback = name.hasPrefix("127.") && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let isOwn = isLoopback || name == "[::1]" || name == "::1" || !name.contains(".") && !name.contains(":")
        guard scheme == "https" || scheme == "http" && isOwn else { return nil }
        let shown = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        let isUsual = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        let path = url.path(percentEncoded: true)
        self.init(
            host: isUsual ? shown : "\(shown):\(url.port ?? 0)", scheme: scheme, path: path.hasSuffix("/") ? String(path.dropLast()) : path,
            isBucketInHost: false)
    }

    /// - Returns: what the address of an object begins with, the host of the request, and the path before the object's name.
    func address(of bucket: String) -> (base: String, host: String, path: String) {
        // A certificate for one name before the host covers no name with points.
        if isBucketInHost, !bucket.contains(".") { return ("\(scheme)://\(bucket).\(host)", "\(bucket).\(host)", "") }
        return ("\(scheme)://\(host)", host, "\(path)/\(bucket)")
    }
}
