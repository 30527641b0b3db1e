// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && os(Linux)
import UIKit

/// The application of this process, for tests. In a separate file, because a file that imports Testing and UIKit needs an
/// overlay of both that only Apple's systems have.
@MainActor
struct PhoneApplication {
    private let simulated = SimulatedApplication.current

    func begin() { simulated.begin() }
    func finishLaunching() { simulated.finishLaunching() }
    func willEnterForeground() { simulated.willEnterForeground() }
    func didBecomeActive() { simulated.didBecomeActive() }

    func open() {
        willEnterForeground()
        didBecomeActive()
    }

    func close() { simulated.state = .background }

    /// As an app without scenes does while it launches.
    func reportsInactive() { simulated.state = .inactive }
}
#endif
