// SPDX-License-Identifier: Apache-2.0
/// Supplies the platform's signed install token. The live one, AdServices, is in LandfallApple.
///
/// May be called from any task, more than once; never on the main thread. A call that hangs is abandoned after its time limit;
/// if its value comes later, it is still used.
public protocol AdTokenSource: Sendable {
    /// - Throws: ``AdTokenError/unsupported`` is final for this launch; any other error is worth another try.
    func token() async throws -> String
}

/// Why there is no ad token.
public enum AdTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This platform issues no tokens.
    case unsupported
    /// Apple's service could not be reached.
    case network
    /// Anything else; the text is the platform's own.
    case failed(String)

    public var description: String {
        switch self {
        case .unsupported: "This platform issues no ad tokens. Nothing to do: the install counts as not from Apple Ads."
        case .network: "Apple's token service could not be reached. The SDK asks again; nothing to do."
        case .failed(let text): "No ad token: \(text.asSentence) The SDK asks again; nothing to do."
        }
    }
}
