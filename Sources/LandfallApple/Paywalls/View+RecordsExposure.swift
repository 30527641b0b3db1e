// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

extension View {
    /// Records the exposure when this view appears: once for each result, however often the view appears.
    /// - Parameters:
    ///   - result: the result that the view shows.
    ///   - client: nil, the default, takes the one that ``SwiftUI/View/landfallClient(_:)`` gave; without either, nothing is
    ///     counted, and a log line says so.
    public func recordsExposure(_ result: PaywallResult, in client: LandfallClient? = nil) -> some View {
        modifier(ShownPaywall(result: result, client: client))
    }
}

private struct ShownPaywall: ViewModifier {
    @Environment(\.landfallClient) private var landfallClient
    let result: PaywallResult
    let client: LandfallClient?

    func body(content: Content) -> some View {
        let client = client ?? landfallClient
        return content.onAppear { [result] in
            guard let client else {
                let advice = "Put .landfallClient(client) around the app's first view, or name the client."
                let text = "recordsExposure has no client and counts nothing. \(advice)"
                LogLine.toUnifiedLog(LogLine(.error, text, category: .setup))
                return
            }
            client.recordExposure(of: result)
        }
    }
}
#endif
