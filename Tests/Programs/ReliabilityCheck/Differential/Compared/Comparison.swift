import Foundation
import Pallium
import RunSupport

/// One generated document, sent through everything.
struct Comparison {
    let set: SchemaSet
    let number: Int
    /// The name of the schema that is asked for.
    let asked: String
    /// The document.
    let tree: JSONValue
    /// The document as text, in some spelling.
    let bytes: [UInt8]
    let adapter: JSONAdapter<DynamicModel>
    private(set) var failures: [String] = []

    init(set: SchemaSet, seed: UInt64, number: Int) {
        self.set = set
        self.number = number
        var bits = SeededGenerator.of(seed, 0x444F_4355_4D45_4E54, number)
        asked = bits.once(in: 3) ? set.schemas[0].name : bits.pick(set.schemas).name
        tree = DocumentGenerator(set: set).document(asked, &bits)
        var text = SpelledText(
            strangeness: bits.pick([0, 20, 4]),
            repeatsMembers: bits.once(in: 5))
        text.write(tree, &bits)
        bytes = text.bytes
        adapter = set.adapter(asked)
    }

    /// The same comparison of another document, plainly spelled.
    init(_ other: Comparison, tree: JSONValue) {
        set = other.set
        number = other.number
        asked = other.asked
        self.tree = tree
        bytes = Array(tree.description.utf8)
        adapter = other.adapter
    }

    /// What an entrance gave: a model as a snapshot, or problems.
    struct Outcome: CustomStringConvertible {
        var snapshot: JSONValue?
        var problems: [ReferenceProblem] = []
        var error: String?

        var description: String {
            snapshot.map { "\($0)" } ?? error ?? "\(problems)"
        }
    }

    mutating func check(_ condition: Bool, _ failure: @autoclosure () -> String) {
        if !condition { failures.append(failure()) }
    }

    // MARK: Comparisons

    mutating func run() throws {
        guard let read = try? JSONValue(parsing: bytes), read == tree else {
            failures.append("the text is not read as the tree it was written from")
            return
        }
        var reference = ReferenceDecoder(set, collects: false)
        let expected = reference.model(asked, tree, JSONPointer())
        let problems = Set<ReferenceProblem>(reference.problems)
        let wanted = reference.isRefused ? nil : expected.map(Snapshot.of)

        let problem = compareEntrances(wanted, problems)
        // A report takes an array as many models.
        var collecting = ReferenceDecoder(set, collects: true)
        var models: [ReferenceModel] = []
        if case .array(let elements) = tree {
            for (index, element) in elements.enumerated() {
                let place = JSONPointer().appending(index)
                if let model = collecting.element({ $0.model(asked, element, place) }) ?? nil { models.append(model) }
            }
        } else if let model = collecting.model(asked, tree, JSONPointer()) {
            models = [model]
        }
        let snapshots = models.map(Snapshot.of)
        compare("report of bytes", adapter.report(from: bytes), snapshots, collecting)
        compare("report of the tree", adapter.report(from: tree), snapshots, collecting)
        if let members = tree.objectValue.flatMap(Entrances.dictionary) {
            compare("report of the dictionary", adapter.report(from: members), snapshots, collecting)
        }
        if tree.objectValue != nil { compareStreams(wanted, problem) }
        if wanted != nil, let expected { compareWaysOut(expected) }
        compareCoders()
    }

    /// The ways into one model; returns the problem of the bytes.
    private mutating func compareEntrances(
        _ wanted: JSONValue?, _ problems: Set<ReferenceProblem>
    ) -> ReferenceProblem? {
        let fromBytes = outcome { try adapter.model(from: bytes) }
        compare("bytes", fromBytes, wanted, problems)
        let fromTree = outcome { try adapter.model(from: tree) }
        compare("tree", fromTree, wanted, problems)
        check(
            fromBytes.problems == fromTree.problems || fromBytes.problems.count != fromTree.problems.count,
            "first problem: of bytes \(fromBytes), of the tree \(fromTree)")
        checkOrder(fromTree.problems.first, problems)
        if let members = tree.objectValue.flatMap(Entrances.dictionary) {
            compare("dictionary", outcome { try adapter.model(from: members) }, wanted, problems)
        }
        return fromBytes.problems.first
    }

    /// The first problem in document order is thrown, unless something is missing or refused by a validator, which comes
    /// after that.
    private mutating func checkOrder(_ found: ReferenceProblem?, _ problems: Set<ReferenceProblem>) {
        let late: [ModelError.Code] = [.missingProperty, .validationFailed, .unknownModel]
        guard let found, !problems.contains(where: { late.contains($0.code) }) else { return }
        let place = order(found.pointer)
        let earlier = problems.filter { other in
            let order = order(other.pointer)
            return order.lexicographicallyPrecedes(place) && !place.starts(with: order)
        }
        check(earlier.isEmpty, "thrown was \(found), not the earlier \(Array(earlier))")
    }

    /// Where a pointer leads, by the positions of the members on its way.
    private func order(_ pointer: JSONPointer) -> [Int] {
        var value = tree
        var result: [Int] = []
        for token in pointer.tokens {
            switch value {
            case .object(let members):
                guard let position = members.position(of: token) else { return result }
                result.append(position)
                value = members[position].value
            case .array(let elements):
                guard let position = Int(token), position < elements.count else { return result }
                result.append(position)
                value = elements[position]
            default: return result
            }
        }
        return result
    }

    /// The document twice, as lines and as an array.
    private mutating func compareStreams(_ wanted: JSONValue?, _ problem: ReferenceProblem?) {
        var bits = SeededGenerator(seed: UInt64(number))
        let lines = bytes + [0x0A] + bytes
        let array = [0x5B] + bytes + [0x2C] + bytes + [0x5D]
        let skips = set.options.elements == .skip
        func models(_ name: String, isArray: Bool, _ decode: () throws -> [DynamicModel]) -> String? {
            do {
                let found = try decode().map { try Snapshot.of($0, in: set) }
                let expected = wanted.map { [$0, $0] } ?? []
                if wanted == nil, !skips { return "\(name): expected a problem\n    found \(found)" }
                return Snapshot.agree(.array(expected), .array(found))
                    ? nil : "\(name): \(Snapshot.difference(.array(expected), .array(found)))"
            } catch let error as ModelError {
                let place = problem.map { isArray ? JSONPointer(tokens: ["0"] + $0.pointer.tokens) : $0.pointer }
                let isExpected = wanted == nil && !skips && error.code == problem?.code && error.pointer == place
                return isExpected ? nil : "\(name): \(error), not \(problem.map { "\($0)" } ?? "a model")"
            } catch {
                return "\(name): \(error)"
            }
        }
        let found = [
            models("lines", isArray: false) { try adapter.models(fromLines: lines) },
            models("stream of lines", isArray: false) {
                var stream = adapter.models(fromLines: Entrances.chunks(lines, &bits))
                var result: [DynamicModel] = []
                while let model = try stream.next() { result.append(model) }
                return result
            },
            models("stream of an array", isArray: true) {
                var stream = adapter.models(fromArray: Entrances.chunks(array, &bits))
                var result: [DynamicModel] = []
                while let model = try stream.next() { result.append(model) }
                return result
            },
            models("array", isArray: true) { try adapter.models(from: array) },
            models("tree of an array", isArray: true) { try adapter.models(from: JSONValue.array([tree, tree])) },
        ]
        for failure in found.compactMap({ $0 }) { check(false, failure) }
    }

    private mutating func compare(
        _ name: String, _ outcome: Outcome, _ wanted: JSONValue?, _ problems: Set<ReferenceProblem>
    ) {
        if let wanted {
            check(
                outcome.snapshot.map { Snapshot.agree(wanted, $0) } == true,
                "\(name): \(outcome.snapshot.map { Snapshot.difference(wanted, $0) } ?? "expected \(wanted), found \(outcome)")"
            )
        } else {
            check(
                outcome.problems.count == 1 && problems.isSuperset(of: outcome.problems),
                "\(name): expected one of \(Array(problems))\n    found \(outcome)")
        }
    }

    private mutating func compare(
        _ name: String, _ report: DecodingReport<DynamicModel>, _ expected: [JSONValue], _ reference: ReferenceDecoder
    ) {
        let found = Set<ReferenceProblem>(report.problems.flatMap(\.problems).map(Self.problem))
        let problems = Set<ReferenceProblem>(reference.problems)
        // Of several problems of one value, which several properties read, one is told.
        let places = Set<JSONPointer>(found.map(\.pointer))
        let untold = problems.subtracting(found).filter { !places.contains($0.pointer) }
        let unexpected = found.subtracting(problems)
        check(
            untold.isEmpty && unexpected.isEmpty,
            "\(name): expected problems \(Array(untold)), not \(Array(unexpected))")
        let snapshots = report.models.map { model in (try? Snapshot.of(model, in: set)) ?? "unreadable" }
        check(
            Snapshot.agree(.array(expected), .array(snapshots)),
            "\(name): \(Snapshot.difference(.array(expected), .array(snapshots)))")
    }

    // MARK: Outcomes

    static func problem(_ error: ModelError) -> ReferenceProblem {
        ReferenceProblem(code: error.code, pointer: error.pointer ?? ["no place"])
    }

    func outcome(_ decode: () throws -> DynamicModel) -> Outcome {
        do {
            return Outcome(snapshot: try Snapshot.of(try decode(), in: set))
        } catch let error as ModelError {
            return Outcome(problems: error.problems.map(Self.problem), error: "\(error.code.rawValue): \(error)")
        } catch {
            return Outcome(error: "\(error)")
        }
    }

    /// What it takes to see the disagreement again.
    func reproduction(seed: UInt64) -> String {
        let small = Shrinking.smallest(self)
        return """
            case \(number) (--seed \(seed) --only \(number)), schema \(asked)
              schemas: \(schemaText())
              options: \(optionText())
              JSON:    \(String(decoding: small.bytes, as: UTF8.self))
              \(small.failures.joined(separator: "\n  "))
            """
    }

    /// The schemas that the document can be about, as a schema document.
    private func schemaText() -> String {
        var names = [asked]
        var index = 0
        func collect(_ kind: PropertyKind) -> [String] {
            switch kind {
            case .model(let reference): [set.name(reference)]
            case .array(let element), .set(let element), .dictionary(let element): collect(element.kind)
            default: []
            }
        }
        while index < names.count {
            let schema = set.schema(names[index]).schema
            var found = schema.properties.flatMap { collect($0.schema.kind) }
            if case .named(let parent)? = schema.parent { found.append(parent) }
            if schema.cluster != nil {
                found += set.schemas.map(\.name).filter { set.schema($0).ancestors.contains(schema.name) }
            }
            for name in found where !names.contains(name) { names.append(name) }
            index += 1
        }
        return names.map { name in
            do throws(SchemaError) {
                return try set.registry.document(of: set.withoutClosures(set.schema(name).schema)).description
            } catch {
                return "\(name): \(error)"
            }
        }.joined(separator: "\n           ")
    }

    private func optionText() -> String {
        let options = set.options
        return "unknown \(options.unknownMembers), nil \(options.nilPolicy), elements \(options.elements), "
            + "leniency \(options.leniency.rawValue), by kind \(options.transformersByKind), "
            + "profile \(set.profile ?? "none")"
    }
}
