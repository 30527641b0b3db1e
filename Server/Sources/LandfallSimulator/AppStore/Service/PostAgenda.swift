// SPDX-License-Identifier: Apache-2.0

/// What is to be posted and when, the earliest first; at one instant in the order of planning.
struct PostAgenda {
    enum Step {
        /// The next event of a life happens.
        case event(life: Int)
        case post(NotificationPost.Subject, attempt: Int)
    }

    struct Entry {
        let at: Int64
        let step: Step
    }

    /// The earliest is the last.
    private var entries: [Entry] = []

    mutating func plan(_ entry: Entry) {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at <= entry.at { high = middle } else { low = middle + 1 }
        }
        entries.insert(entry, at: low)
    }

    mutating func next(at now: Int64) -> Entry? {
        guard let last = entries.last, last.at <= now else { return nil }
        return entries.popLast()
    }

}
