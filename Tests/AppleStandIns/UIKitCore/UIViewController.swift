// SPDX-License-Identifier: Apache-2.0

/// A screen. Here it shows nothing.
@MainActor open class UIViewController: UIResponder {
    open func viewDidLoad() {}

    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {
        completion?()
    }

    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) { completion?() }
}
