// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

/// For debug builds: shows the text of `explain()`, and a button that resets this install.
/// ```swift
/// #if DEBUG
/// NavigationLink("Landfall") { LandfallExplanationView(landfall) }
/// #endif
/// ```
public struct LandfallExplanationView: View {
    private let client: LandfallClient
    @State private var text = ""

    public init(_ client: LandfallClient) { self.client = client }

    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 12) {
                Button("Refresh") { show() }
                Button("Reset this install") { reset() }
                Text(verbatim: text).font(.system(.footnote, design: .monospaced))
            }
        }
        .onAppear { show() }
    }

    private func show() { text = client.explain().description }

    private func reset() {
        Task {
            do {
                try await client.resetInstall()
                show()
            } catch {
                text = "This install was not reset. \(error)"
            }
        }
    }
}
#endif
