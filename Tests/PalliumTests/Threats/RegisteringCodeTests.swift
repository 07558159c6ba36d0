import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Code of the program that runs while schemas are registered: what converts defaults, and what releases them.
@Suite("Code that runs while schemas are registered", .threat(.reentrancy, .registryRaces))
struct RegisteringCodeTests {
    private struct WeakRegistry: Sendable { weak var registry: SchemaRegistry? }

    /// A registry whose transformer `Running`, and that of the kind `custom`, run `code` on every text they convert.
    private struct Setting {
        let registry: SchemaRegistry
        let kind: PropertyKind.Custom

        init(_ code: @escaping @Sendable (SchemaRegistry) throws -> Void) throws {
            // Weak: the registry holds the transformers.
            let box = Mutex(WeakRegistry())
            let transformers = TransformerRegistry()
            @Sendable func run() throws {
                if let registry = box.withLock({ $0.registry }) { try code(registry) }
            }
            try transformers.register(
                Transformer(from: String.self, to: String.self) { text, _ in
                    try run()
                    return text
                }, as: "Running")
            try transformers.register(
                Transformer(from: String.self, to: Text.self) { text, _ in
                    try run()
                    return Text(text: text)
                }, as: "Custom")
            registry = SchemaRegistry(transformers: transformers)
            kind = PropertyKind.Custom(Text.self, name: "text", transformer: "Custom")
            let known = ModelSchema("Known", ["n": .integer.default(7)])
            try registry.register(known)
            box.withLock { [registry] in $0.registry = registry }
        }

        /// Schemas whose defaults are converted while they are registered.
        func schemas(named name: String = "New") -> [ModelSchema] {
            [
                ModelSchema(name, ["a": .string.transformer("Running").default(json: "x")]),
                ModelSchema(name + "-2", ["a": PropertySchema(.custom(kind)).default(json: "x")]),
                ModelSchema(name + "-3", ["a": .array(of: .string.transformer("Running")).default(json: ["x"])]),
            ]
        }
    }

    struct Text: Hashable, Sendable, PropertyValue { let text: String }

    @Test func itMayUseWhatWasRegisteredBefore() throws {
        let read = Mutex<[Int]>([])
        let setting = try Setting { registry in
            let schema = try registry.schema(named: "Known")
            let model = DynamicModel(schema: schema, registry: registry)
            let decoded = try JSONAdapter(schema: schema, registry: registry).model(from: #"{"n":8}"#)
            read.withLock { $0 += [model["n", as: Int.self] ?? 0, decoded["n", as: Int.self] ?? 0] }
            #expect(registry.schemas.map(\.name) == ["Known"])
        }
        try setting.registry.register(setting.schemas())
        #expect(read.withLock { $0 } == [7, 8, 7, 8, 7, 8])
        #expect(setting.registry.schemas.map(\.name) == ["Known", "New", "New-2", "New-3"])
    }

    @Test func itMayNotRegisterInTheSameRegistry() throws {
        let problems = Journal()
        let setting = try Setting { registry in
            do throws(SchemaError) {
                try registry.register(ModelSchema("Inner", [:]))
            } catch { error.problems.forEach { problems.add($0.description) } }
            // Another registry is nobody's business.
            try SchemaRegistry().register(ModelSchema("Inner", [:]))
        }
        try setting.registry.register(setting.schemas())
        #expect(
            problems.all
                == Array(
                    repeating: "schemas are registered while the default of another is converted; "
                        + "register them before, or outside of the transformer", count: 3))
        #expect(setting.registry.schemas.map(\.name) == ["Known", "New", "New-2", "New-3"])
        try setting.registry.register(ModelSchema("Inner", [:]))
    }

    @Test func whatItThrowsRefusesTheSchemasAndTheRegistryGoesOn() throws {
        let isRegistering = Mutex(true)
        let setting = try Setting { registry in
            if isRegistering.withLock({ $0 }) { try registry.register(ModelSchema("Inner", [:])) }
        }
        let error = try #require(throws: SchemaError.self) { try setting.registry.register(setting.schemas()) }
        #expect(error.problems.map(\.schema) == ["New", "New-2", "New-3"])
        #expect(error.problems.allSatisfy { $0.property == "a" && $0.message.contains("are registered while") })
        #expect(setting.registry.schemas.map(\.name) == ["Known"])
        isRegistering.withLock { $0 = false }
        try setting.registry.register(setting.schemas())
    }

    /// The other thread would wait for ever for a lock that is held meanwhile.
    @Test func otherThreadsMayRegisterMeanwhile() throws {
        let number = Mutex(0)
        let failures = Journal()
        let setting = try Setting { registry in
            // What was compiled before the others registered is compiled again: three conversions, and three more.
            let mine = number.withLock { number in
                number += 1
                return number
            }
            guard mine <= 3 else { return }
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do {
                    try registry.register(ModelSchema("Other\(mine)", ["m": .model("Known")]))
                } catch { failures.add("\(error)") }
                isDone.signal()
            }
            if !isDone.waitPatiently() { failures.add("locked") }
        }
        try setting.registry.register(setting.schemas())
        #expect(failures.all == [])
        #expect(number.withLock { $0 } == 6)
        #expect(
            setting.registry.schemas.map(\.name)
                == ["Known", "Other1", "Other2", "Other3", "New", "New-2", "New-3"])
    }

    /// Each thread registers schemas of its own, and one of a name that all of them claim.
    @Test func registrationsOfSeveralThreadsAreWholeAndOneAfterAnother() throws {
        let setting = try Setting { registry in _ = try registry.schema(named: "Known") }
        let winners = Mutex<[Int]>([])
        let failures = Journal()
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            do {
                try setting.registry.register(setting.schemas(named: "T\(number)"))
            } catch { failures.add("\(error)") }
            do throws(SchemaError) {
                try setting.registry.register(
                    [ModelSchema("Claimed", ["k\(number)": .string])] + setting.schemas(named: "Winner\(number)"))
                winners.withLock { $0.append(number) }
            } catch {
                if error.problems.map(\.message) != ["another schema of this name is registered"] {
                    failures.add("\(error)")
                }
            }
        }
        #expect(failures.all == [])
        let winner = try #require(winners.withLock { $0 }.first)
        #expect(winners.withLock { $0 }.count == 1)
        #expect(try setting.registry.schema(named: "Claimed").properties.map(\.key) == ["k\(winner)"])
        let names = setting.registry.schemas.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.filter { $0.hasPrefix("T") }.count == 48)
        #expect(names.filter { $0.hasPrefix("Winner") } == ["", "-2", "-3"].map { "Winner\(winner)\($0)" })
        // What belongs to one call stands together.
        for number in 0..<16 {
            let first = try #require(names.firstIndex(of: "T\(number)"))
            #expect(names[first..<(first + 3)].elementsEqual(["", "-2", "-3"].map { "T\(number)\($0)" }))
        }
    }

    /// A value whose end uses a registry.
    fileprivate final class Witness: Sendable {
        let code: @Sendable () -> Void
        init(_ code: @escaping @Sendable () -> Void) { self.code = code }
        deinit { code() }
    }

    struct Held: Hashable, Sendable, PropertyValue {
        fileprivate let witness: Witness
        static func == (left: Held, right: Held) -> Bool { left.witness === right.witness }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(witness)) }
    }

    @Test func theEndOfARefusedDefaultMayUseTheRegistry() throws {
        let transformers = TransformerRegistry()
        let registry = SchemaRegistry(transformers: transformers)
        let known = ModelSchema("Known", [:])
        try registry.register(known)
        let ends = Mutex(0)
        let failures = Journal()
        try transformers.register(
            Transformer(from: String.self, to: Held.self) { [weak registry] _, _ in
                Held(
                    witness: Witness { [weak registry] in
                        do {
                            let registry = try #require(registry)
                            _ = DynamicModel(schema: try registry.schema(named: "Known"), registry: registry)
                            try registry.register(ModelSchema("Last", [:]))
                        } catch { failures.add("\(error)") }
                        ends.withLock { $0 += 1 }
                    })
            }, as: "Held")
        let kind = PropertyKind.Custom(Held.self, name: "held", transformer: "Held")
        #expect(throws: SchemaError.self) {
            try registry.register(
                ModelSchema(
                    "New", ["a": PropertySchema(.custom(kind)).default(json: "x"), "b": .integer.default("no")]))
        }
        #expect(ends.withLock { $0 } == 1)
        #expect(failures.all == [])
        #expect(registry.schemas.map(\.name) == ["Known", "Last"])
    }
}
