import Foundation
import Pallium
import RunSupport

/// Everything that walks from model to model, on a chain far deeper than any stack.
enum ChainCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        guard let text = arguments.operands.first, let count = Int(text), (2...10_000_000).contains(count) else {
            throw Arguments.Mistake(description: "how many models, from 2 to 10000000?")
        }
        tally.add(try onStack(kilobytes: arguments.number("--stack", default: 512)) { try walk(count) })
    }

    private static func walk(_ count: Int) throws -> Tally {
        var tally = Tally()
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Link", ["label": .integer, "next": .model("Link").merge(.recurse)]))
        let schema = try registry.schema(named: "Link")

        func chain(labelsFrom start: Int = 0) throws -> DynamicModel {
            var first = DynamicModel(schema: schema, registry: registry)
            for label in start..<start + count {
                let link = DynamicModel(schema: schema, registry: registry)
                try link.setValue(label, forKey: "label")
                try link.setValue(first, forKey: "next")
                first = link
            }
            return first
        }
        func timed(_ name: String, _ body: () throws -> Bool) {
            var isRight = false
            var problem: (any Error)?
            let time = Measured.seconds(runs: 1) { do { isRight = try body() } catch { problem = error } }
            tally.check(isRight, "\(name) of \(count) models\(problem.map { ": \($0)" } ?? "")")
            print("\(name): \(Int(time * 1000)) ms")
        }

        var left: DynamicModel?
        var right: DynamicModel?
        timed("build") {
            left = try chain()
            right = try chain()
            return true
        }
        guard let one = left, let other = right else { return tally }
        timed("==") { one == other }
        timed("hash") { one.hashValue == other.hashValue }
        timed("description") { one.description.utf8.count < 100_000 && one.debugDescription.utf8.count < 1_000_000 }
        timed("difference") { one.difference(to: other).isEmpty }
        timed("frozen view") { one.frozen() == other.frozen() }
        timed("deep copy") { one.deepCopy() == one }
        timed("validation") {
            try one.validate()
            return true
        }
        timed("archive and back") {
            let bytes = try ModelArchiver().archive(one)
            return try ModelUnarchiver(registry: registry).unarchive(schema, from: bytes) == one
        }
        timed("merge") {
            let changes = try one.merge(from: chain(labelsFrom: 1))
            return changes.count == count && one.difference(to: other).count == count
        }
        timed("rebase") {
            one.trackChanges()
            one["label"] = -1
            let changes = try one.rebase(onto: other)
            return changes.count == count - 1 && changes.conflicts.count == 1 && one.changedKeys == ["label"]
        }
        timed("revert") {
            one.revert()
            return one == other
        }
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        timed("refusal by JSON") {
            do {
                _ = try adapter.data(from: one)
                return false
            } catch { return (error as? ModelError)?.code == .depthLimit }
        }
        _ = consume one
        _ = consume other
        timed("release") {
            left = nil
            right = nil
            return true
        }
        return tally
    }
}
