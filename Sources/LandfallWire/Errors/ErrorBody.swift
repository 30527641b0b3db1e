// SPDX-License-Identifier: Apache-2.0
/// The body of every answer that is not a success: `{"error": {"code": …, "message": …, "requestId": …}}`.
public struct ErrorBody: Hashable, Sendable, Codable {
    public struct Problem: Hashable, Sendable, Codable {
        public let code: ErrorCode
        /// What happened and what to do, for a developer; may change at any time.
        public let message: String
        public let requestId: String?

        public init(code: ErrorCode, message: String, requestId: String? = nil) {
            self.code = code
            self.message = message
            self.requestId = requestId
        }
    }

    public let error: Problem

    public init(error: Problem) { self.error = error }
}
