// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// Small pictures of the help, drawn on the server in the colours of the page. A phone shows them nearly as large: they are 320 wide.
enum HelpPicture {
    private static let width = 320

    private static func picture(_ name: String, height: Int, @HTMLBuilder content: () -> HTML) -> HTML {
        svg(
            .class("picture"), Attribute("viewBox", "0 0 \(width) \(height)"), Attribute("role", "img"), .label(name), content: content)
    }

    private static func word(_ word: String, _ x: Int, _ y: Int, _ side: StaticString = "middle") -> HTML {
        text(Attribute("x", "\(x)"), Attribute("y", "\(y)"), Attribute("text-anchor", "\(side)")) { word }
    }

    private static func bar(_ kind: StaticString, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> HTML {
        rect(
            .class(kind), Attribute("x", "\(x)"), Attribute("y", "\(y)"), Attribute("width", "\(width)"), Attribute("height", "\(height)"),
            Attribute("rx", kind.description == "box" ? "8" : "0")
        ) {}
    }

    private static func stroke(_ kind: StaticString, _ drawing: String) -> HTML { path(.class(kind), Attribute("d", drawing)) {} }

    /// One thing leads to the next: at most three.
    static func way(_ name: String, _ steps: [String]) -> HTML {
        picture(name, height: 52) {
            for (index, step) in steps.enumerated() {
                bar("box", 1 + index * 113, 6, 92, 40)
                word(step, 47 + index * 113, 31)
                if index > 0 { stroke("arrow", "M\(index * 113 - 17) 26h14m-5 -5l5 5l-5 5") }
            }
        }
    }

    /// Asked from top to bottom: the first row that fits decides.
    static func order(_ name: String, _ rows: [(who: String, what: String)]) -> HTML {
        picture(name, height: rows.count * 46) {
            for (index, row) in rows.enumerated() {
                let y = index * 46 + 3
                bar("box", 1, y, 134, 34)
                word(row.who, 68, y + 22)
                stroke("arrow", "M141 \(y + 17)h34m-5 -5l5 5l-5 5")
                bar("box", 185, y, 134, 34)
                word(row.what, 252, y + 22)
                if index > 0 { stroke("zero", "M68 \(y - 11)v10") }
            }
        }
    }

    /// A bar for each day, and the line of the time before.
    static func days(_ name: String, _ before: String) -> HTML {
        let values = [30, 42, 36, 54, 60, 48, 72, 66]
        return picture(name, height: 112) {
            for (index, value) in values.enumerated() { bar("now", 6 + index * 40, 84 - value, 28, value) }
            stroke("before", "M20 60L60 52L100 56L140 44L180 48L220 40L260 36L300 42")
            stroke("zero", "M0 84h320")
            stroke("before", "M6 101h24")
            word(before, 38, 105, "start")
        }
    }

    /// Steps below each other, each with a part of the one before.
    static func steps(_ name: String, _ steps: [String]) -> HTML {
        picture(name, height: steps.count * 38) {
            for (index, step) in steps.enumerated() {
                let y = index * 38
                word(step, 0, y + 13, "start")
                bar("track", 0, y + 19, width, 10)
                bar("now", 0, y + 19, [320, 190, 150, 40][min(index, 3)], 10)
            }
        }
    }

    /// How the times of many paywalls lie: half of them before the first mark, 95 of 100 before the second.
    static func times(_ name: String) -> HTML {
        picture(name, height: 104) {
            stroke("band", "M0 80C40 80 60 8 100 8S160 64 210 72S300 79 320 80Z")
            stroke("zero", "M0 80h320")
            stroke("estimate", "M112 4v76")
            stroke("estimate", "M250 44v36")
            word("p50", 112, 98)
            word("p95", 250, 98)
        }
    }

    /// Days of first opens below each other, with who came back; what is not old enough is empty.
    static func cohorts(_ name: String, _ days: [String], _ empty: String) -> HTML {
        picture(name, height: 128) {
            for (column, day) in days.enumerated() { word(day, 52 + column * 108, 13) }
            for row in 0..<3 {
                for column in 0..<3 {
                    let isOld = row + column < 3
                    bar(isOld ? "now" : "track", 2 + column * 108, 20 + row * 28, 100, 24)
                }
            }
            bar("track", 2, 110, 14, 14)
            word(empty, 24, 122, "start")
        }
    }

    /// Three intervals beside the line of no difference: above it, across it, below it.
    static func intervals(_ name: String, _ words: ExperimentWords) -> HTML {
        let intervals = [(words.word(.higher), 210...300), (words.word(.notDecided), 150...250), (words.word(.lower), 110...172)]
        return picture(name, height: 124) {
            stroke("zero", "M190 0v100")
            for (index, (verdict, interval)) in intervals.enumerated() {
                let y = index * 34 + 6
                word(verdict, 0, y + 15, "start")
                bar("band", interval.lowerBound, y, interval.count, 20)
                stroke("estimate", "M\((interval.lowerBound + interval.upperBound) / 2) \(y)v20")
            }
            word(words.zero, 190, 119)
        }
    }
}
