// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallServer

/// Where buckets are, for the commands that write to `s3://BUCKET/PREFIX` or read from it. Keys come from the environment only: process
/// lists show options.
struct S3Options: ParsableArguments {
    @Option(help: "The endpoint of the bucket, if it is not Amazon's (AWS_ENDPOINT_URL_S3).")
    var s3Endpoint: String?

    @Option(help: "The region of the bucket (AWS_REGION).")
    var s3Region: String?

    /// - Throws: a sentence for the operator.
    func access() throws -> S3Access {
        do { return try S3Access(endpoint: s3Endpoint, region: s3Region) } catch { throw ValidationError("\(error)") }
    }
}

extension LiveOutboundHTTP {
    /// A client as long as the closure runs.
    static func with<Value>(_ body: (LiveOutboundHTTP) async throws -> Value) async throws -> Value {
        let http = LiveOutboundHTTP(), running = Task { try await http.run() }
        do {
            let value = try await body(http)
            running.cancel()
            try await running.value
            return value
        } catch {
            running.cancel()
            _ = await running.result
            throw error
        }
    }
}
