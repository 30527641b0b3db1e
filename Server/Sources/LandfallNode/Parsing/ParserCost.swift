// SPDX-License-Identifier: Apache-2.0
import CoreFoundation
import Foundation

/// One parser of untrusted text or files, with the text that is hardest for it.
package struct ParserCost: Sendable {
    package let name: String
    /// The length of the longest text that the parser accepts: a limit of `Limits` or of the parser itself.
    package let longest: Int
    /// Makes a text of about this number of bytes.
    package let text: @Sendable (_ bytes: Int) -> String
    private let parse: @Sendable (String) -> Void

    /// - Parameters:
    ///   - unit: repeated until the text has the wanted length.
    ///   - parse: its result and its errors are ignored.
    init<Result>(
        _ name: String, longest: Int = 64 * 1024, _ start: String = "", repeating unit: String, _ end: String = "",
        parse: @escaping @Sendable (String) throws -> Result
    ) {
        self.init(
            name, longest: longest,
            text: { bytes in
                let count = max(1, (bytes - start.utf8.count - end.utf8.count) / unit.utf8.count)
                return start + String(repeating: unit, count: count) + end
            }, parse: parse)
    }

    init<Result>(
        _ name: String, longest: Int = 64 * 1024, text: @escaping @Sendable (Int) -> String,
        parse: @escaping @Sendable (String) throws -> Result
    ) {
        self.name = name
        self.longest = longest
        self.text = text
        self.parse = { _ = try? parse($0) }
    }

    /// CPU seconds of this thread for one text of this length, independent of other work on the machine: the best of several
    /// runs, each repeated until it takes a millisecond.
    package func seconds(bytes: Int, runs: Int = 5) -> Double {
        let text = text(bytes)
        var repeats = 1
        var least = Self.seconds { parse(text) }
        while least * Double(repeats) < 0.001, repeats < 1 << 16 { repeats *= 2 }
        for _ in 0..<runs {
            let run = Self.seconds { for _ in 0..<repeats { parse(text) } }
            least = min(least, run / Double(repeats))
        }
        return least
    }

    /// The same for any text, in one run of about a millisecond.
    package func seconds(parsing text: String) -> Double {
        let once = Self.seconds { parse(text) }
        let repeats = min(64, max(1, Int(0.001 / max(once, 1e-6))))
        return min(once, Self.seconds { for _ in 0..<repeats { parse(text) } } / Double(repeats))
    }

    private static func seconds(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let begun = now()
        body()
        return now() - begun
    }
}
