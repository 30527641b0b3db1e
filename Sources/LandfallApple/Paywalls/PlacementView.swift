// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
#if canImport(Combine)
internal import Combine
#endif
public import Landfall
public import SwiftUI

/// Loads a placement's paywall and shows each phase of it, as `AsyncImage` does with an image.
///
/// ```swift
/// PlacementView("onboarding") { phase in
///     switch phase {
///     case .loading: ProgressView()
///     case .loaded(let paywall, _): OfferView(paywall)
///     case .nothing, .failed: HomeView()
///     }
/// }
/// ```
/// It loads when it appears, and again when the placement changes. When the paywall arrives, it records the exposure, because
/// the view is on the screen. In previews `.placementPreview(_:)` sets the phase.
public struct PlacementView<Content: View>: View {
    @Environment(\.landfallClient) private var surroundingClient
    @Environment(\.placementPreview) private var preview
    @StateObject private var loading = PlacementLoading()

    private let question: PlacementQuestion
    private let client: LandfallClient?
    private let content: (PlacementPhase) -> Content

    /// - Parameters:
    ///   - placement: loaded again when it changes.
    ///   - limit: 0…1 day; then the best available paywall is shown.
    ///   - locale: BCP 47; nil takes the device's.
    ///   - client: nil takes the one that `.landfallClient(_:)` gave.
    ///   - recordsExposure: false if the content shows the paywall later, with `.recordsExposure(_:in:)`.
    ///   - content: the view of each phase.
    public init(
        _ placement: PlacementID, within limit: Duration = .seconds(5), locale: String? = nil,
        client: LandfallClient? = nil, recordsExposure: Bool = true,
        @ViewBuilder content: @escaping (PlacementPhase) -> Content
    ) {
        self.question = PlacementQuestion(
            placement: placement, limit: limit, locale: locale, recordsExposure: recordsExposure
        )
        self.client = client
        self.content = content
    }

    public var body: some View {
        let client = client ?? surroundingClient
        return content(preview ?? loading.phase)
            .task(id: question) { [loading, question, client, isPreview = preview != nil] in
                if !isPreview { await loading.load(question, from: client) }
            }
    }
}

private struct PlacementQuestion: Hashable, Sendable {
    let placement: PlacementID
    let limit: Duration
    let locale: String?
    let recordsExposure: Bool
}

/// The state of a placement's view; it lives as long as the view.
@MainActor private final class PlacementLoading: ObservableObject {
    @Published private(set) var phase = PlacementPhase.loading

    nonisolated init() {}

    func load(_ question: PlacementQuestion, from client: LandfallClient?) async {
        if phase != .loading, phase.result?.placement != question.placement { phase = .loading }
        guard let client else {
            let advice = "Put .landfallClient(client) around the app's first view, or name the client."
            let text = "PlacementView has no client and loads nothing. \(advice)"
            LogLine.toUnifiedLog(LogLine(.error, text, category: .setup))
            phase = .failed(LandfallError(.notStarted))
            return
        }
        do {
            let result = try await client.paywall(for: question.placement, within: question.limit, locale: question.locale)
            guard !Task.isCancelled else { return }
            phase = PlacementPhase(result)
            if question.recordsExposure { client.recordExposure(of: result) }
        } catch let error as LandfallError {
            phase = .failed(error)
        } catch {
            // Cancelled: the view has disappeared, or loads another placement.
        }
    }
}

extension View {
    /// Every ``PlacementView`` below shows this phase and loads nothing: for previews.
    /// ```swift
    /// #Preview { RootView().placementPreview(.loaded(.preview, .preview())) }
    /// ```
    public func placementPreview(_ phase: PlacementPhase) -> some View { environment(\.placementPreview, phase) }
}

extension EnvironmentValues {
    fileprivate var placementPreview: PlacementPhase? {
        get { self[PlacementPreviewKey.self] }
        set { self[PlacementPreviewKey.self] = newValue }
    }
}

private struct PlacementPreviewKey: EnvironmentKey {
    static let defaultValue: PlacementPhase? = nil
}
#endif
