// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension Error {
    /// What happened, as one sentence for a log line. The SDK's errors, and an app's own with a description, say it themselves; a
    /// system's error is its text with its domain and number.
    package var inWords: String {
        if self is CancellationError { return "It was cancelled." }
        if !isOfTheSystem {
            // By way of Any: Foundation on Linux lets the cast of an error succeed always.
            if let own = (self as Any) as? any CustomStringConvertible { return own.description.asSentence }
            return "The error is \(String(reflecting: type(of: self))): \(self)".asSentence
        }
        let error = self as NSError
        return "\(error.localizedDescription.withoutFullStop) (\(error.domain) \(error.code))."
    }

    private var isOfTheSystem: Bool {
        self is CocoaError || self is POSIXError || self is URLError || type(of: self) is AnyClass
    }
}

extension String {
    /// With one full stop at its end.
    package var asSentence: String {
        guard let last = withoutFullStop.last else { return "" }
        return "!?".contains(last) ? withoutFullStop : withoutFullStop + "."
    }

    fileprivate var withoutFullStop: String {
        var text = self[...]
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
