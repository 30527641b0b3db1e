// SPDX-License-Identifier: Apache-2.0

extension Trial {
    /// Every trial, in the order in which `script/soak` shows them.
    package static let all: [Trial] = [
        .noEffect(rate: 0.05), .noEffect(rate: 0.03), .noEffect(rate: 0.2), .effect, .lift, .revenue, .purchases, .weightChange, .fairRatio,
        .drawnRatio,
        .unfairRatio, .renderLoss,
    ]
}
