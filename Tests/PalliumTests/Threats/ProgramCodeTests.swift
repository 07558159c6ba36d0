import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Code of the program that runs in the middle of the library's work and uses the library.
struct ProgramCodeTests {
    /// Where code of a program runs.
    enum Place: String, CaseIterable, Sendable {
        case transformer, reverseTransformer, validator, rule, hook, merger, resolver, upgrade
    }

    /// A registry whose schema runs `code` at a place, and an action that makes it run.
    private struct Setting {
        let registry: SchemaRegistry
        let act: () throws -> Void

        init(_ place: Place, _ code: @escaping @Sendable () throws -> Void) throws {
            let (transformers, mergers) = (TransformerRegistry(), MergerRegistry())
            let passing = Transformer(from: Int.self, to: Int.self) { value, _ in
                if place == .transformer { try code() }
                return value
            } reverse: { value, _ in
                if place == .reverseTransformer { try code() }
                return value
            }
            try transformers.register(passing, as: "Passing")
            try mergers.register(
                Merger(Int.self) { values in
                    try code()
                    return values.source
                }, as: "passing")
            let registry = SchemaRegistry(transformers: transformers, mergers: mergers)
            var property = PropertySchema.integer.transformer("Passing")
            if place == .merger { property = property.merge(MergePolicy("passing")) }
            if place == .validator { property = property.validate { (_: inout Int?, _) in try code() } }
            var schema = ModelSchema("M", ["a": property, "b": .integer])
            if place == .rule { schema = schema.validate { _ in try code() } }
            if place == .hook { schema = schema.didDecode { _ in try code() } }
            if place == .resolver {
                schema.cluster = .resolver { _ in
                    try code()
                    return "M"
                }
            }
            if place == .upgrade {
                schema.version = 2
                schema.upgrades = [SchemaUpgrade(from: 1) { _ in try code() }]
            }
            try registry.register(schema)
            self.registry = registry
            let adapter = try JSONAdapter(schema: schema, registry: registry)
            act = {
                switch place {
                case .transformer, .validator, .rule, .hook, .resolver: _ = try adapter.model(from: #"{"b":1,"a":2}"#)
                case .reverseTransformer:
                    let model = DynamicModel(schema: schema, registry: registry)
                    model["a"] = 1
                    _ = try adapter.data(from: model)
                case .merger:
                    let model = DynamicModel(schema: schema, registry: registry)
                    _ = try adapter.merge(#"{"b":1,"a":2}"#, into: model)
                case .upgrade: _ = try adapter.model(from: Data(#"{"a":1}"#.utf8), versionMember: "version")
                }
            }
        }
    }

    /// No lock is held while code of the program runs: it and other threads may use what it was called by.
    @Test(.threat(.reentrancy, .registryRaces), arguments: Place.allCases)
    func theLibraryCanBeUsedMeanwhile(place: Place) throws {
        let box = Mutex<SchemaRegistry?>(nil)
        let names = Mutex<[String]>([])
        let setting = try Setting(place) {
            guard let registry = box.withLock({ $0 }) else { return }
            @Sendable func work(_ name: String) {
                do {
                    let schema = ModelSchema(name, ["m": .model("M"), "n": .integer.transformer(.init(name))])
                    try registry.transformers.register(.mapping([1: 2]), as: .init(name))
                    try registry.mergers.register(Merger(Int.self) { $0.target }, as: name)
                    try registry.register(schema)
                    let adapter = try JSONAdapter(schema: schema, registry: registry)
                    if try adapter.model(from: #"{"n":1}"#)["n", as: Int.self] == 2 {
                        names.withLock { $0.append(name) }
                    }
                } catch { names.withLock { $0.append("\(error)") } }
            }
            work("Here")
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                work("Elsewhere")
                isDone.signal()
            }
            // A lock that is held would keep the other thread from ever getting there.
            if !isDone.waitPatiently() { names.withLock { $0.append("locked") } }
            box.withLock { $0 = nil }
        }
        box.withLock { $0 = setting.registry }
        try setting.act()
        #expect(names.withLock { $0 } == ["Here", "Elsewhere"])
    }

    @Test(.threat(.throwingUserCode), arguments: Place.allCases)
    func whatItThrowsIsToldAndTheLibraryGoesOn(place: Place) throws {
        let isRefusing = Mutex(true)
        let setting = try Setting(place) { if isRefusing.withLock({ $0 }) { throw FixtureError.refused } }
        let error = try #require(throws: ModelError.self) { try setting.act() }
        #expect(error.underlying as? FixtureError == .refused)
        #expect(error.schema == "M")
        let hasProperty = [.transformer, .reverseTransformer, .validator, .merger].contains(place)
        #expect(error.property == (hasProperty ? "a" : nil))
        isRefusing.withLock { $0 = false }
        #expect(throws: Never.self) { try setting.act() }
    }

    /// A transformer that reads its input with the adapter that called it, again and again.
    @Test(.threat(.reentrancy)) func depthCountsFromTheOutermostDocument() throws {
        let adapters = Mutex<JSONAdapter<DynamicModel>?>(nil)
        let nested = Transformer(from: JSONValue.self, to: Int.self) { value, _ in
            let adapter = adapters.withLock { $0 }
            return 1 + (try adapter?.model(from: value)["inner", as: Int.self] ?? 0)
        }
        let adapter = try Plain.adapter(
            ["inner": .integer.transformer("Nested")], transformers: ["Nested": nested]
        ).adapter
        adapters.withLock { $0 = adapter }
        defer { adapters.withLock { $0 = nil } }
        @Sendable func text(_ depth: Int) -> String {
            String(repeating: #"{"inner":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
        }
        let failures = Journal()
        // Each level of such code takes stack of its own, many times as much under a sanitizer.
        onStack(kilobytes: 65_536) {
            do {
                if try adapter.model(from: text(512))["inner", as: Int.self] != 511 { failures.add("another depth") }
            } catch { failures.add("\(error)") }
            do throws(ModelError) {
                _ = try adapter.model(from: text(513))
                failures.add("decoded")
            } catch { if error.code != .limitExceeded { failures.add("\(error)") } }
        }
        #expect(failures.all == [])
    }

    @Test(.threat(.reentrancy)) func anErrorOfAnInnerDocumentKeepsTheOuterPlace() throws {
        let inner = try Plain.adapter(["n": .integer]).adapter
        let embedded = Transformer(from: String.self, to: Int.self) { text, _ in
            try inner.model(from: text)["n", as: Int.self] ?? 0
        }
        let adapter = try Plain.adapter(
            ["list": .array(of: .integer.transformer("Embedded"))], transformers: ["Embedded": embedded])
        let problem = try #require(adapter.problem(of: #"{"list":["{\"n\":1}","{\"n\":\"x\"}"]}"#))
        #expect(problem.code == .transformerFailed)
        #expect(problem.pointer?.description == "/list/1")
        #expect(problem.location?.column == 22)
        #expect((problem.underlying as? ModelError)?.pointer?.description == "/n")
    }
}
