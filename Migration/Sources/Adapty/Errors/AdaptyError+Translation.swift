// SPDX-License-Identifier: Apache-2.0
import Landfall

extension AdaptyError {
    /// Runs `body` and translates its error into the documented one.
    static func translating<Value>(_ body: () throws -> Value) throws(AdaptyError) -> Value {
        do { return try body() } catch { throw AdaptyError(translated: error) }
    }

    /// Runs `body` and translates its error into the documented one.
    static func translating<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws(AdaptyError) -> Value {
        do { return try await body() } catch { throw AdaptyError(translated: error) }
    }

    init(translated error: any Error) {
        switch error {
        case let error as AdaptyError: self = error
        case let error as PurchaseError: self.init(ErrorCode(error), error.description, originalError: error)
        case let error as LandfallError: self.init(ErrorCode(error.kind), error.description, originalError: error)
        case is CancellationError:
            self.init(.operationInterrupted, "The task of this call was cancelled. Nothing to do.", originalError: error)
        default: self.init(.unknown, String(describing: error), originalError: error)
        }
    }
}

extension AdaptyError.ErrorCode {
    fileprivate init(_ kind: LandfallError.Kind) {
        switch kind {
        case .notStarted: self = .notActivated
        case .noPaywall(_, let network):
            self = network.map { $0.kind == .timedOut } ?? true ? .fetchTimeoutError : .networkFailed
        case .placementUnknown, .refused: self = .badRequest
        case .invalidArgument: self = .wrongParam
        case .unavailable: self = .serverError
        case .network: self = .networkFailed
        // There is no number for the rest (shut down, disk); the message says it.
        default: self = .unknown
        }
    }
}
