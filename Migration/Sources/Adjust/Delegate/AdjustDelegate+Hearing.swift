// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What happens to a link that the delegate was asked about.
enum LinkVerdict {
    case open, dealtWith
    /// The delegate has neither of the two methods.
    case unheard
}

extension AdjustDelegate {
    func hear(_ attribution: ADJAttribution) {
        #if canImport(ObjectiveC)
        adjustAttributionChanged?(attribution)
        #else
        adjustAttributionChanged(attribution)
        #endif
    }

    func hear(_ session: ADJSessionSuccess) {
        #if canImport(ObjectiveC)
        adjustSessionTrackingSucceeded?(session)
        #else
        adjustSessionTrackingSucceeded(session)
        #endif
    }

    /// Without it the link stays in the client's inbox.
    var hearsDeferredLinks: Bool {
        #if canImport(ObjectiveC)
        responds(to: #selector(AdjustDelegate.adjustDeferredDeeplinkReceived(_:)))
            || responds(to: #selector(AdjustDelegate.adjustDeeplinkResponse(_:)))
        #else
        true
        #endif
    }

    /// Asks by the second generation's name; if that method is missing, by the first generation's.
    func hear(_ link: URL) -> LinkVerdict {
        #if canImport(ObjectiveC)
        let opens = adjustDeferredDeeplinkReceived?(link) ?? adjustDeeplinkResponse?(link)
        #else
        let opens =
            MissingMethods.current.unlessMissing { adjustDeferredDeeplinkReceived(link) }
            ?? MissingMethods.current.unlessMissing { adjustDeeplinkResponse(link) }
        #endif
        return opens.map { $0 ? .open : .dealtWith } ?? .unheard
    }
}

#if !canImport(ObjectiveC)
/// Distinguishes a delegate's own method from the default, on platforms where no runtime can be asked.
///
/// `@unchecked Sendable`: every access to `count` holds `lock`.
final class MissingMethods: @unchecked Sendable {
    static let current = MissingMethods()
    private let lock = NSLock()
    private var count = 0

    func note() -> Bool {
        lock.withLock { count += 1 }
        return true
    }

    /// Links are given on the main thread alone, so that no other call comes between.
    func unlessMissing(_ call: () -> Bool) -> Bool? {
        let before = lock.withLock { count }
        let answer = call()
        return lock.withLock { count } == before ? answer : nil
    }
}
#endif
