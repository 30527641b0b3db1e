// SPDX-License-Identifier: Apache-2.0

extension ConfigurationNode {
    /// The name by which an element of a list is found in two versions of the file; nil if it has none.
    /// - Parameter way: the keys that lead to the list.
    func name(in way: [String]) -> String? {
        switch way {
        case ["keys"]: text("sdk") ?? text("serverFrom")
        case ["links"], ["webhooks"]: text("url")
        case ["identity", "keys"]: text("id") ?? text("secretFrom") ?? text("publicKey")
        case ["domains", "brand"], ["domains", "old"]: text("host") ?? text
        case let keys where keys.count == 2 && keys[0] == "placements": text("audience")
        case let keys where keys.count == 3 && keys[0] == "experiments" && keys[2] == "guardrails": text("metric")
        default: nil
        }
    }
}
