// SPDX-License-Identifier: Apache-2.0
import Adapty
import AdaptyUI
import SwiftUI
import UIKit

// Call site: an onboarding as a view.
struct WelcomeView: View {
    let configuration: AdaptyUI.OnboardingConfiguration
    let close: () -> Void

    var body: some View {
        AdaptyOnboardingView(
            configuration: configuration, placeholder: { AdaptyLoadingPlaceholderView() },
            onFinishLoading: { action in print(action.meta.onboardingId) }, onCloseAction: { _ in close() },
            onOpenPaywallAction: { action in print(action.actionId) }, onCustomAction: { action in print(action.actionId) },
            onStateUpdatedAction: { action in print(action.elementId, answer(action.params)) },
            onAnalyticsEvent: { event in print(event.meta.screenIndex, event.meta.screensTotal) }, onError: { print($0) })
    }
}

// Call site: what a person has answered.
func answer(_ params: OnboardingsStateUpdatedParams) -> String {
    switch params {
    case .select(let choice): choice.value
    case .multiSelect(let choices): choices.map(\.label).joined(separator: ", ") + choices.map(\.id).joined()
    case .input(.text(let text)), .input(.email(let text)): text
    case .input(.number(let number)): "\(number)"
    case .datePicker(let date): "\(date.year ?? 0)-\(date.month ?? 0)-\(date.day ?? 0)"
    }
}

// Call site: an onboarding's own events are counted by the app.
func name(of event: AdaptyOnboardingsAnalyticsEvent) -> String {
    switch event {
    case .onboardingStarted: "started"
    case .screenPresented(let meta): meta.screenClientId
    case .screenCompleted(_, let element, let reply): "\(element ?? "") \(reply ?? "")"
    case .onboardingCompleted: "completed"
    case .unknown(_, let name): name
    case .secondScreenPresented, .registrationScreenPresented, .productsScreenPresented, .userEmailCollected: "other"
    }
}

// Call site: a screen of UIKit that presents the vendor's controller.
@MainActor
final class WelcomeController: UIViewController, AdaptyOnboardingControllerDelegate {
    func show(_ placement: String) async {
        do {
            let onboarding = try await Adapty.getOnboarding(placementId: placement)
            let configuration = try AdaptyUI.getOnboardingConfiguration(forOnboarding: onboarding)
            present(
                try AdaptyUI.onboardingController(with: configuration, delegate: self, statusBarStyle: .darkContent),
                animated: true)
        } catch {
            print(error)
        }
    }

    func onboardingController(_ controller: AdaptyOnboardingController, onCloseAction action: AdaptyOnboardingsCloseAction) {
        controller.dismiss(animated: true)
    }

    func onboardingController(
        _ controller: AdaptyOnboardingController, onPaywallAction action: AdaptyOnboardingsOpenPaywallAction
    ) { print(controller.id, action.actionId) }

    func onboardingController(
        _ controller: AdaptyOnboardingController, onStateUpdatedAction action: AdaptyOnboardingsStateUpdatedAction
    ) { print(answer(action.params)) }

    func onboardingController(
        _ controller: AdaptyOnboardingController, onAnalyticsEvent event: AdaptyOnboardingsAnalyticsEvent
    ) { print(name(of: event)) }

    func onboardingController(_ controller: AdaptyOnboardingController, didFailWithError error: AdaptyUIError) {}

    func onboardingsControllerLoadingPlaceholder(_ controller: AdaptyOnboardingController) -> UIView? { UIView() }
}
