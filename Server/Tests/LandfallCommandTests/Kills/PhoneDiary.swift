// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The output of a phone before it was killed, see TestPhone.
struct PhoneDiary {
    private(set) var tried: [String: [Int64]] = [:]
    private(set) var accepted: [String: [Int64]] = [:]
    /// The links that the app was handed, `new` and `again`.
    private(set) var heard: [String: Set<Int64>] = [:]
    /// What must never happen to links, and did.
    private(set) var broken: [String] = []

    mutating func read(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let number = Int64(words[2]) else { return }
        switch words[0] {
        case "trying": tried[words[1], default: []].append(number)
        case "accepted": accepted[words[1], default: []].append(number)
        case "heard":
            if accepted["take"]?.contains(number) == true { broken.append("\(number) was taken, and comes again") }
            if words[1] == "new", everHeard.contains(number) { broken.append("\(number) is new a second time") }
            if tried["link"]?.contains(number) != true { broken.append("\(number) was not received") }
            heard[words[1], default: []].insert(number)
        default: break
        }
    }

    /// Links whose click the server may know.
    var taps: Set<Int64> { Set((tried["link"] ?? []) + (tried["open"] ?? [])) }

    var everHeard: Set<Int64> { heard.values.reduce([]) { $0.union($1) } }

    /// Of the links that were accepted by now, those that the app has not heard of later either.
    func unheard(in later: PhoneDiary) -> Set<Int64> { Set(accepted["link"] ?? []).subtracting(later.everHeard) }

    static func installID(in phone: URL) -> String? {
        guard let data = try? Data(contentsOf: phone.appending(path: "landfall/install.json")) else { return nil }
        return (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?["id"] as? String
    }

    static func sessions(_ attributes: String) -> Int64? {
        let object = try? JSONSerialization.jsonObject(with: Data(attributes.utf8)) as? [String: Any]
        return (object?["sessions"] as? NSNumber)?.int64Value
    }
}
