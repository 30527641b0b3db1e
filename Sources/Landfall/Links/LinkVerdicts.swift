// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LinkState.Effect {
    /// Where a link leads; nil for any other effect. The link itself is not logged: its path may be a code.
    var verdict: String? {
        switch self {
        case .answer(_, let link): "A call for where a link leads is answered: \(link.status)."
        case .handOver(_, let link): "A link goes to its listener: \(link.status)."
        case .answerDeferred(_, let result):
            "A call for the link from before the installation is answered: \(result.inWords)."
        default: nil
        }
    }
}

extension DeferredLinkResult {
    fileprivate var inWords: String {
        switch self {
        case .link: "there is one"
        case .none: "there is none"
        case .pending: "not known yet"
        }
    }
}
