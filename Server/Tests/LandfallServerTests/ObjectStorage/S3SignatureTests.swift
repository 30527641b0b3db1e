// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Requests to a bucket are signed", .timeLimit(.minutes(1)))
struct S3SignatureTests {
    /// The example of the specification.
    private static let access = S3Access(
        keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1", endpoint: .amazon(region: "us-east-1"))

    @Test(
        "as the specification's examples say",
        arguments: [
            (
                S3Request(method: .get, path: "/test.txt", headers: ["range": "bytes=0-9"]),
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                S3Request(
                    method: .put, path: "/test%24file.text",
                    headers: ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"], body: Array("Welcome to Amazon S3.".utf8)),
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            (S3Request(method: .get, path: "/", query: [("lifecycle", "")]), "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            (
                S3Request(method: .get, path: "/", query: [("prefix", "J"), ("max-keys", "2")]),
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ] as [(S3Request, String)])
    func examples(request: S3Request, signature: String) throws {
        let now = try #require(Instant("2013-05-24T00:00:00Z")).milliseconds

        let headers = S3Signature(access: Self.access).headers(of: request, host: "examplebucket.s3.amazonaws.com", nowMs: now)

        let text = try #require(headers["authorization"])
        #expect(text.hasSuffix(",Signature=" + signature), "\(text)")
        #expect(headers["x-amz-date"] == "20130524T000000Z")
    }

    @Test(
        "An endpoint says the host, and where the bucket is in the address",
        arguments: [
            (nil, "files", "https://files.s3.eu-west-1.amazonaws.com", "files.s3.eu-west-1.amazonaws.com", ""),
            (nil, "my.files", "https://s3.eu-west-1.amazonaws.com", "s3.eu-west-1.amazonaws.com", "/my.files"),
            ("https://Files.Example.com:443/", "files", "https://files.example.com", "files.example.com", "/files"),
            ("https://files.example.com:9000/s3", "files", "https://files.example.com:9000", "files.example.com:9000", "/s3/files"),
            ("http://127.0.0.1:9000", "files", "http://127.0.0.1:9000", "127.0.0.1:9000", "/files"),
            ("http://minio:9000", "files", "http://minio:9000", "minio:9000", "/files"),
        ] as [(String?, String, String, String, String)])
    func endpoints(text: String?, bucket: String, base: String, host: String, path: String) throws {
        let endpoint = try text.map { try #require(S3Endpoint($0)) } ?? .amazon(region: "eu-west-1")

        let address = endpoint.address(of: bucket)

        #expect(address.base == base && address.host == host && address.path == path, "\(address)")
    }

    @Test("Other addresses are no endpoint", arguments: ["", "files.example.com", "http://files.example.com", "http://127.example.com", "https://u:p@a.example", "https://a.example?x=1", "ftp://a.example"])
    func wrongEndpoints(text: String) { #expect(S3Endpoint(text) == nil) }

    @Test(
        "Keys come from the environment by their usual names, and no message repeats them",
        arguments: [
            ([:], "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment."),
            (["AWS_ACCESS_KEY_ID": "id-of-test", "AWS_SECRET_ACCESS_KEY": ""], "A bucket needs AWS_SECRET_ACCESS_KEY in"),
            (["AWS_ACCESS_KEY_ID": "id-of-test", "AWS_SECRET_ACCESS_KEY": "secret-of-test"], "A bucket needs AWS_REGION in"),
            (["AWS_ACCESS_KEY_ID": "id-of-test", "AWS_SECRET_ACCESS_KEY": "secret-of-test\n", "AWS_REGION": "auto"], "AWS_SECRET_ACCESS_KEY has a space"),
            (["AWS_ACCESS_KEY_ID": "id-of-test", "AWS_SECRET_ACCESS_KEY": "secret-of-test", "AWS_REGION": "a/b"], "The region 'a/b' is not valid."),
            (
                ["AWS_ACCESS_KEY_ID": "id-of-test", "AWS_SECRET_ACCESS_KEY": "secret-of-test", "AWS_ENDPOINT_URL_S3": "http://u:secret-of-test@a.example"],
                "The endpoint of the bucket is not valid."
            ),
        ] as [([String: String], String)])
    func missing(environment: [String: String], sentence: String) {
        let error = #expect(throws: S3AccessError.self) { _ = try S3Access(environment: { environment[$0] }) }

        let text = "\(error?.description ?? "")"
        #expect(text.contains(sentence), "\(text)")
        #expect(!text.contains("of-test"))
    }

    @Test("The command line wins, an endpoint needs no region, and none of it is printed")
    func access() throws {
        let environment = ["AWS_ACCESS_KEY_ID": "id-of-test", "AWS_SECRET_ACCESS_KEY": "secret-of-test", "AWS_ENDPOINT_URL": "https://a.example"]

        let own = try S3Access(environment: { environment[$0] }), named = try S3Access(environment: { environment[$0] }, endpoint: "https://b.example", region: "auto")

        #expect(own.region == "us-east-1" && own.endpoint == S3Endpoint("https://a.example"))
        #expect(named.region == "auto" && named.endpoint == S3Endpoint("https://b.example"))
        #expect(!"\(own) \(String(reflecting: own))".contains("of-test"))
        var dumped = ""
        dump(own, to: &dumped)
        #expect(!dumped.contains("of-test"))
    }

    @Test(
        "A place is a bucket and a prefix",
        arguments: [
            ("s3://files", "files", ""), ("s3://files/", "files", ""), ("s3://my.files-1/a/b c/", "my.files-1", "a/b c"), ("s3://Files", nil, ""),
            ("s3://ab", nil, ""), ("s3://-ab", nil, ""), ("s3://files//a", nil, ""), ("s3://files/a/../b", nil, ""), ("s3://files/a\n", nil, ""),
            ("https://files", nil, ""), ("s3://", nil, ""),
        ] as [(String, String?, String)])
    func places(text: String, bucket: String?, prefix: String) {
        let place = S3Place(text)

        #expect(place?.bucket == bucket)
        #expect(place.map(\.prefix) ?? "" == prefix)
        if let place { #expect(S3Place(place.description) == place && place.key("f") == (prefix.isEmpty ? "f" : prefix + "/f")) }
    }
}
