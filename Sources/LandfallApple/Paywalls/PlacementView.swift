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
/// It loads when it appears, and again when the placement or the person changes (`identify` with a token, `logOut`). If a call would
/// return at once, its first phase is the paywall. When the paywall arrives, it records the exposure, because the view is on the screen. In previews `.placementPreview(_:)` sets the phase.
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
        let load = Load(question: question, person: loading.person)
        return content(preview ?? loading.phase(of: question, from: client))
            .task(id: load) { [loading, load, client, isPreview = preview != nil] in
                if !isPreview { await loading.load(load, from: client) }
            }
            .task(id: client.map(ObjectIdentifier.init)) { [loading, client, isPreview = preview != nil] in
                if !isPreview, let client { await loading.follow(client) }
            }
    }
}

private struct PlacementQuestion: Hashable, Sendable {
    let placement: PlacementID
    let limit: Duration
    let locale: String?
    let recordsExposure: Bool
}

/// One load of a view: a new one begins when the question or the person changes.
private struct Load: Hashable, Sendable {
    let question: PlacementQuestion
    /// Counts the persons whom the view has seen.
    let person: Int
}

/// The state of a placement's view; it lives as long as the view.
@MainActor private final class PlacementLoading: ObservableObject {
    /// A phase, and the load that it belongs to.
    private struct Seen {
        let load: Load
        let phase: PlacementPhase
    }

    /// What the last call returned.
    @Published private var result: Seen?
    /// Grows when the person changes.
    @Published private(set) var person = 0
    /// What a call would have returned at once when the last load began.
    private var beginning: Seen?

    nonisolated init() {}

    func phase(of question: PlacementQuestion, from client: LandfallClient?) -> PlacementPhase {
        let load = Load(question: question, person: person)
        if let seen = [result, beginning].compactMap(\.self).first(where: { $0.load == load }) { return seen.phase }
        let known = client?.cachedPaywall(for: question.placement, locale: question.locale, cache: .reload)
        let phase = known.map { PlacementPhase($0) } ?? .loading
        beginning = Seen(load: load, phase: phase)
        return phase
    }

    /// Runs as long as the view is there.
    func follow(_ client: LandfallClient) async {
        var here: ProfileID?
        for await profile in client.profiles {
            if let here, here != profile.id { person += 1 }
            here = profile.id
        }
    }

    func load(_ load: Load, from client: LandfallClient?) async {
        let question = load.question
        guard let client else {
            let advice = "Put .landfallClient(client) around the app's first view, or name the client."
            let text = "PlacementView has no client and loads nothing. \(advice)"
            LogLine.toUnifiedLog(LogLine(.error, text, category: .setup))
            return result = Seen(load: load, phase: .failed(LandfallError(.notStarted)))
        }
        do {
            let shown = try await client.paywall(for: question.placement, within: question.limit, locale: question.locale)
            guard !Task.isCancelled else { return }
            result = Seen(load: load, phase: PlacementPhase(shown))
            if question.recordsExposure { client.recordExposure(of: shown) }
        } catch let error as LandfallError {
            result = Seen(load: load, phase: .failed(error))
        } catch {
            // Cancelled: the view has disappeared, or loads for another placement or person.
        }
    }
}

extension View {
    /// Every ``PlacementView`` below shows this phase and loads nothing: for previews.
    /// ```swift
    /// #Preview { RootView().placementPreview(.loaded(paywall: .preview, result: .preview())) }
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
