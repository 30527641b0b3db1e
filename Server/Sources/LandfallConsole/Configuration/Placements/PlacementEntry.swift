// SPDX-License-Identifier: Apache-2.0

/// One line of a placement: who, and what they see.
struct PlacementEntry: Hashable, Sendable {
    enum Showing: Hashable, Sendable {
        case paywall(String), experiment(String)
        /// A form that this release does not know.
        case unknown

        /// As the forms send it.
        var value: String {
            switch self {
            case .paywall(let name): "paywall:" + name
            case .experiment(let name): "experiment:" + name
            case .unknown: ""
            }
        }
    }

    let audience: String
    let showing: Showing
    /// How many installs the audience matches, whatever stands above it; nil where nobody counted lately.
    var matches: MatchSample?

    /// The audience that every placement ends with.
    static let everyone = "everyone"
    var isEveryone: Bool { audience == Self.everyone }
}

extension Frame {
    func audience(_ name: String) -> HTML {
        name == PlacementEntry.everyone ? HTML(words.everyone) : a(.href(Place("/console/audiences", [name]))) { name }
    }

    func showing(_ showing: PlacementEntry.Showing) -> HTML {
        switch showing {
        case .paywall(let name): a(.href(Place("/console/paywalls", [name]))) { name }
        case .experiment(let name):
            span {
                words.name(of: .experiment) + " "
                a(.href(Place("/console/experiments", [name]))) { name }
            }
        case .unknown: HTML("–")
        }
    }
}
