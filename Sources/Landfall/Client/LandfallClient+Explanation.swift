// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// The client's state: what it knows, what it waits for and what it would answer now. Changes nothing and sends nothing;
    /// costs about as much as a call.
    /// ```swift
    /// print(landfall.explain())
    /// ```
    public func explain() -> Explanation { launch.explain() }
}
