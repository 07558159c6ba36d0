import Foundation
import Pallium

/// Lists of labels whose elements are matched by their identifiers: every tenth has another name each time.
final class LabelLists {
    private final class Board: DynamicModel {
        var labels: [Label] { value() }
    }

    private let boards: [Board]
    private let incoming: [[Board]]
    private var turn = 0
    let configuration: Configuration

    init(count: Int, length: Int) throws {
        let registry = SchemaRegistry()
        try registry.register(Issue.schemas)
        try registry.register(
            ModelSchema(
                Board.self, ["labels": .array(of: .model(Label.self)).required.merge(.byIdentifier("id"))],
                name: "Board"))
        let adapter = JSONAdapter(Board.self, registry: registry)
        func document(_ length: Int, turn: Int) -> DocumentValue {
            let labels = (0..<length).map { index in
                DocumentValue.object([
                    ("id", .integer(1 + index)), ("name", .string(index % 10 == 0 ? "label \(turn)" : "label")),
                    ("color", .string("eeeeee")),
                ])
            }
            return .object([("labels", .array(labels))])
        }
        incoming = try (0..<2).map { turn in
            let data = document(length, turn: turn).data
            return try (0..<count).map { _ in try adapter.model(from: data) }
        }
        let data = document(length, turn: 0).data
        boards = try (0..<count).map { _ in try adapter.model(from: data) }
        configuration = Configuration("bytes of labels", document: document(4, turn: 0)) { data in
            blackHole(try adapter.model(from: data))
        }
    }

    /// Merges the next state into every list and answers how many changes there were.
    func merge() throws -> Int {
        turn += 1
        var count = 0
        for (board, other) in zip(boards, incoming[turn % 2]) { count += try board.merge(from: other).count }
        return count
    }

    func isRight() throws -> Bool {
        let elements = boards.map(\.labels)
        for _ in 0..<2 {
            guard try merge() == boards.reduce(0, { $0 + $1.labels.count }) / 10, boards == incoming[turn % 2] else {
                return false
            }
        }
        // The elements are the same objects as before.
        return zip(elements, boards).allSatisfy { before, board in zip(before, board.labels).allSatisfy { $0 === $1 } }
    }
}
