// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("The board of launches", .timeLimit(.minutes(1)))
struct LaunchBoardTests {
    @Test("assigns Apple's answer to the launch of its token")
    func answers() {
        let board = LaunchBoard()
        let one = board.begin(phone: "one", number: 1, token: "sim.id=1")
        let two = board.begin(phone: "two", number: 1, token: "sim.id=2")

        board.appleAnswered(token: "sim.id=2", status: 404)
        board.appleAnswered(token: "sim.id=2", status: 200)
        board.appleAnswered(token: "sim.id=3", status: 200)

        #expect(board.launch(at: one).moments.isEmpty)
        #expect(board.launch(at: two).moments.map(\.sight) == [.answer(status: 404), .answer(status: 200)])
    }

    @Test("does not change a launch that is over")
    func over() {
        let board = LaunchBoard()
        let place = board.begin(phone: "one", number: 1, token: "sim.")

        board.close(place)
        board.appleAnswered(token: "sim.", status: 200)

        #expect(board.launch(at: place).isOver)
        #expect(board.launch(at: place).moments.isEmpty)
    }

    @Test("separates first and later launches")
    func numbers() {
        let board = LaunchBoard()
        _ = board.begin(phone: "one", number: 1, token: "a")
        _ = board.begin(phone: "one", number: 2, token: "b")
        _ = board.begin(phone: "two", number: 1, token: "c")

        #expect(board.launches(number: 1).map(\.launch.phone) == ["one", "two"])
        #expect(board.launches(number: 2).map(\.launch.phone) == ["one"])
    }
}
