import Pallium
import RunSupport

/// Nesting: as deep as the limit on a small stack, and no deeper.
enum DepthCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let stack = arguments.number("--stack", default: 64)
        // Releasing a tree of enumerations is recursive, so what is read at the limit is checked where there is room.
        tally.add(try onStack(kilobytes: stack) { try typed() })
        tally.add(onStack(kilobytes: max(stack, 128)) { untyped() })
        refused(&tally)
    }

    private static let limit = JSONReadingOptions().maximumDepth

    /// Models in models, arrays in arrays and skipped members, at the limit and one beyond.
    private static func typed() throws -> Tally {
        var tally = Tally()
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Node", ["label": .integer, "next": .model("Node")]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Node"), registry: registry)
        for (depth, fits) in [(limit, true), (limit + 1, false)] {
            let models =
                String(repeating: #"{"next":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
            let model = tally.accepted(Array(models.utf8)) { try adapter.model(from: $0) }
            tally.check((model != nil) == fits, "models nested \(depth) deep")
            if let model {
                tally.check(
                    try adapter.data(from: model).elementsEqual(models.utf8), "models nested \(depth) deep, written")
            }
            let skipped =
                #"{"other":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
                + "}"
            let isSkipped = tally.accepted(Array(skipped.utf8)) { try adapter.model(from: $0) } != nil
            tally.check(isSkipped == fits, "skipped arrays nested \(depth) deep")
        }
        return tally
    }

    private static func untyped() -> Tally {
        var tally = Tally()
        for (depth, fits) in [(limit, true), (limit + 1, false)] {
            for (begin, end) in [("[", "]"), (#"{"a":"#, "}")] {
                let inner = begin == "[" ? "" : "0"
                let text = String(repeating: begin, count: depth) + inner + String(repeating: end, count: depth)
                let value = tally.tree(Array(text.utf8))
                tally.check((value != nil) == fits, "\(depth) times \(begin)")
                if let value { tally.check((try? value.text()) == text, "\(depth) times \(begin), written") }
            }
        }
        return tally
    }

    /// Ten million brackets are refused at the limit, not at the end.
    private static func refused(_ tally: inout Tally) {
        for bracket in ["[", "{\"a\":"] {
            let bytes = Array(String(repeating: bracket, count: 10_000_000).utf8)
            Measured.resetPeak()
            let before = Measured.residentBytes
            var offset: Int?
            let time = Measured.seconds(runs: 1) {
                do throws(JSONSyntaxError) { _ = try JSONValue(parsing: bytes) } catch {
                    offset = error.code == .depthLimit ? error.offset : nil
                }
            }
            let growth = Measured.residentBytes - before
            tally.check(
                offset.map { $0 <= bracket.utf8.count * (limit + 1) } == true,
                "10,000,000 times \(bracket): no depth error")
            tally.check(time < 0.005, "10,000,000 times \(bracket): \(time) s")
            tally.check(growth < 1 << 20, "10,000,000 times \(bracket): \(growth) bytes")
        }
    }
}
