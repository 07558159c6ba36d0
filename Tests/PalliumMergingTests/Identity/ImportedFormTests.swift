import Foundation
import ModelTestSupport
import Pallium
import RunSupport
import Synchronization
import Testing

/// A document is imported alike from bytes, where values that the instances have already need not be decoded, and from a
/// tree, where everything is.
@Suite("Forms of imported documents")
struct ImportedFormTests {
    /// A program that imports documents and works with the instances.
    private final class Program {
        let fixtures: IdentityFixtures
        let change: (inout JSONAdapterOptions) -> Void
        var held: [DynamicModel] = []

        init(_ change: @escaping (inout JSONAdapterOptions) -> Void) throws {
            fixtures = try IdentityFixtures()
            self.change = change
        }

        /// Imports a document and tells what came of it.
        func load(_ schema: String, _ input: some JSONInput) throws -> [String] {
            let adapter = try fixtures.adapter(schema).with(change)
            do throws(ModelError) {
                let imported = try fixtures.map.import(input, using: adapter)
                held += imported
                return shape(of: held) + imported.changes.map(\.description) + imported.changes.kept.map(\.description)
            } catch {
                return shape(of: held) + error.problems.map { "\($0.code) at \($0.pointer?.description ?? "nowhere")" }
            }
        }
    }

    /// Random documents with few values, so that many are those of the instances.
    private struct Documents {
        var generator: SeededGenerator

        private mutating func object(_ members: [(name: String, in: Int, value: (inout Self) -> String)]) -> String {
            var texts: [String] = []
            for member in members where generator.once(in: member.in) {
                // Of two refused values, bytes and trees need not tell the same first where a name is repeated.
                let value = member.in != 40 && member.in != 30 && generator.once(in: 20) ? "null" : member.value(&self)
                texts.append(#""\#(member.name)":\#(value)"#)
            }
            if generator.once(in: 3) { texts.shuffle(using: &generator) }
            return "{\(texts.joined(separator: ","))}"
        }

        private mutating func list(_ element: (inout Self) -> String) -> String {
            var elements: [String] = []
            for _ in 0..<generator.below(3) { elements.append(element(&self)) }
            return "[\(elements.joined(separator: ","))]"
        }

        private mutating func text() -> String { generator.pick([#""a""#, #""b""#]) }
        private mutating func number() -> String { "\(generator.below(3))" }

        private mutating func address(_ depth: Int) -> String {
            object([
                ("city", 1, { $0.text() }), ("zip", 3, { $0.text() }),
                ("host", depth > 0 ? 3 : 1000, { $0.person(depth - 1) }),
            ])
        }

        private mutating func person(_ depth: Int) -> String {
            object([
                ("id", 1, { $0.number() }), ("name", 2, { $0.text() }), ("age", 3, { $0.number() }),
                ("friend", depth > 0 ? 2 : 1000, { $0.person(depth - 1) }),
                ("address", 3, { $0.address(depth - 1) }), ("home", 3, { $0.address(depth - 1) }),
                // The last of repeated members counts.
                ("id", 40, { $0.number() }),
            ])
        }

        private mutating func issue(_ depth: Int) -> String {
            object([
                ("id", 1, { $0.number() }), ("title", 2, { $0.text() }), ("note", 3, { $0.text() }),
                ("assignee", 2, { $0.person(depth) }),
                ("comments", 3, { documents in documents.list { #"{"id":\#($0.number()),"text":\#($0.text())}"# } }),
                ("watchers", 2, { documents in documents.list { $0.person(depth - 1) } }),
                ("people", 3, { #"{"lead":\#($0.person(depth - 1))}"# }),
                ("links", depth > 0 ? 4 : 1000, { #"{"parent":\#($0.issue(depth - 1))}"# }),
                ("updated", 4, { $0.number() }), ("state", 4, { $0.text() }), ("views", 4, { $0.number() }),
                ("tags", 4, { documents in documents.list { $0.text() } }), ("id", 40, { $0.number() }),
            ])
        }

        private mutating func account() -> String {
            object([
                ("kind", 2, { $0.generator.pick([#""user""#, #""group""#]) }), ("login", 1, { $0.text() }),
                ("url", 2, { $0.text() }), ("email", 3, { $0.text() }),
            ])
        }

        private mutating func place(_ depth: Int) -> String {
            object([("city", 1, { $0.text() }), ("host", depth > 0 ? 3 : 1000, { $0.member(depth - 1) })])
        }

        private mutating func member(_ depth: Int) -> String {
            object([
                ("id", 1, { $0.number() }), ("name", 1, { $0.text() }),
                ("mentor", depth > 0 ? 3 : 1000, { $0.member(depth - 1) }),
                ("place", depth > 0 ? 3 : 1000, { $0.place(depth - 1) }),
            ])
        }

        private mutating func label() -> String { object([("key", 1, { $0.text() }), ("text", 1, { $0.text() })]) }

        private mutating func team() -> String {
            object([
                ("id", 1, { $0.number() }), ("name", 1, { $0.text() }), ("link", 2, { $0.text() }),
                ("lead", 2, { $0.member(1) }), ("members", 2, { documents in documents.list { $0.member(1) } }),
                ("labels", 2, { documents in documents.list { $0.label() } }),
                ("place", 2, { $0.place(1) }), ("places", 2, { documents in documents.list { $0.place(1) } }),
                ("id", 30, { $0.number() }),
            ])
        }

        mutating func next() -> (schema: String, text: String) {
            let schema = generator.pick([
                "Person", "Issue", "Issue", "Page", "Account", "Team", "Team", "Team", "Member", "Label",
            ])
            func root(_ documents: inout Self) -> String {
                switch schema {
                case "Person": documents.person(2)
                case "Issue": documents.issue(1)
                case "Account": documents.account()
                case "Team": documents.team()
                case "Member": documents.member(2)
                case "Label": documents.label()
                default:
                    documents.object([
                        ("owner", 2, { $0.person(1) }), ("issues", 1, { documents in documents.list { $0.issue(1) } }),
                    ])
                }
            }
            if generator.once(in: 2) { return (schema, root(&self)) }
            let elements = (0...generator.below(3)).map { _ in root(&self) }
            return (schema, "[\(elements.joined(separator: ","))]")
        }
    }

    /// Does something with the instances of a program, the same for the same seed.
    private func use(_ program: Program, seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        guard !program.held.isEmpty else { return }
        var model = generator.pick(program.held)
        // One inside is used as a root is.
        if model.schema.name == "Team", generator.once(in: 2) { model = model.model("lead") ?? model }
        switch generator.below(6) {
        case 0, 1:
            if generator.once(in: 2) { model.trackChanges() }
            if ["Person", "Team", "Member"].contains(model.schema.name) { model["name"] = generator.pick(["a", "b"]) }
        case 2 where model.schema.name == "Issue":
            // A person that the map does not know, of an identity that it may know.
            model["assignee"] = try program.fixtures.adapter("Person").model(from: #"{"id":1,"name":"a"}"#)
        case 3 where model.schema.name == "Issue":
            // An instance of another map.
            model["assignee"] = try IdentityMap().import(
                #"{"id":1,"name":"b"}"#, using: program.fixtures.adapter("Person"))[0]
        case 2 where model.schema.name == "Team":
            model["lead"] = try program.fixtures.adapter("Member").model(from: #"{"id":1,"name":"a"}"#)
        case 3 where model.schema.name == "Team":
            model["lead"] = try IdentityMap().import(
                #"{"id":1,"name":"b"}"#, using: program.fixtures.adapter("Member"))[0]
        case 4: program.held.remove(at: generator.below(program.held.count))
        default: break
        }
    }

    @Test(
        .trials,
        arguments: [
            "by the defaults", "keeping unknown members", "skipping bad elements", "the first of repeated members",
        ])
    func bytesAndTreesAreImportedAlike(_ options: String) throws {
        for seed in Trials(2) {
            var documents = Documents(generator: SeededGenerator(seed: seed))
            let programs = try (0..<2).map { _ in
                try Program {
                    switch options {
                    case "keeping unknown members": $0.unknownMembers = .keep
                    case "skipping bad elements": $0.elements = .skip
                    case "the first of repeated members": $0.reading.duplicateMembers = .firstWins
                    default: break
                    }
                }
            }
            var log: [String] = []
            for _ in 0..<8 {
                let (schema, text) = documents.next()
                log.append("\(schema) \(text)")
                var reading = JSONReadingOptions()
                if options == "the first of repeated members" { reading.duplicateMembers = .firstWins }
                let bytes = try programs[0].load(schema, text)
                let tree = try programs[1].load(schema, JSONValue(parsing: text, options: reading))
                let differences = differingLines(bytes, tree)
                #expect(differences == [], "after \(log.joined(separator: "\n"))")
                if !differences.isEmpty { return }
                let use = documents.generator.below(1_000_000)
                for program in programs { try self.use(program, seed: use) }
                log.append("use \(use)")
            }
        }
    }

    @Test func anEditInsideThatTheDocumentConfirmsIsNotPendingAnyMore() throws {
        let fixtures = try IdentityFixtures()
        let team = try fixtures.load("Team", "{'id': 1, 'lead': {'id': 2, 'name': 'a'}}")[0]
        let lead = try #require(team.model("lead"))
        lead.trackChanges()
        lead["name"] = "b"
        try fixtures.load("Team", "{'id': 1, 'lead': {'id': 2, 'name': 'b'}}")
        #expect(lead["name", as: String.self] == "b")
        #expect(!lead.hasChanges)
    }

    @Test func anInstanceThatIsDescribedOnceMoreIsWhatTheLastDescriptionSays() throws {
        let fixtures = try IdentityFixtures()
        let team = try fixtures.load("Team", "{'id': 1, 'name': 'a', 'lead': {'id': 2, 'name': 'x'}}")[0]
        try fixtures.load("Team", "[{'id': 1, 'name': 'b'}, {'id': 1, 'name': 'a'}]")
        #expect(team["name", as: String.self] == "a")
        try fixtures.load(
            "Team", "[{'id': 3, 'lead': {'id': 2, 'name': 'y'}}, {'id': 1, 'lead': {'id': 2, 'name': 'x'}}]")
        #expect(team.model("lead")?["name", as: String.self] == "x")
    }

    /// A model without an identity is replaced by one that says nothing where it has null.
    @Test(arguments: [
        ("Team", #""place":{"host":null,"city":"a"}"#, #""place":{"city":"a"}"#),
        ("Team", #""places":[{"city":"a"},{"host":null}]"#, #""places":[{"city":"a"},{}]"#),
        ("Team", #""lead":{"id":2,"place":{"city":null}}"#, #""lead":{"id":2,"place":{}}"#),
    ])
    func nullDoesNotStayWhereTheDocumentSaysNothing(_ schema: String, _ before: String, _ after: String) throws {
        for isText in [true, false] {
            let fixtures = try IdentityFixtures()
            let adapter = try fixtures.adapter(schema)
            let instance = try fixtures.map.import("{\"id\":1,\(before)}", using: adapter)[0]
            let text = "{\"id\":1,\(after)}"
            if isText {
                try fixtures.map.import(text, using: adapter)
            } else {
                try fixtures.map.import(JSONValue(parsing: text), using: adapter)
            }
            #expect(try adapter.jsonValue(from: instance) == JSONValue(parsing: text))
        }
    }

    /// Nothing, null, the default and other values take the place of one another, wherever the value stands.
    @Test(arguments: ["", #","zip":null"#, #","zip":"b""#, #","floor":null"#, #","floor":1"#, #","floor":2"#])
    func aValueThatIsReplacedIsTheSameFromBytesAndTrees(_ before: String) throws {
        for after in ["", #","zip":null"#, #","zip":"b""#, #","floor":null"#, #","floor":1"#, #","floor":2"#] {
            for (start, end) in [
                (#""assignee":{"id":2,"address":"#, "}"), (#""assignee":{"id":2,"home":"#, "}"),
                (#""watchers":[{"id":2,"address":"#, "}]"), (#""people":{"a":{"id":2,"address":"#, "}}"),
                (#""assignee":{"id":2,"friend":{"id":3,"address":"#, "}}"),
            ] {
                let (bytes, trees) = (try Program { _ in }, try Program { _ in })
                for members in [before, after] {
                    let text = #"{"id":1,\#(start){"city":"a"\#(members)}\#(end)}"#
                    let found = try bytes.load("Issue", text)
                    #expect(try found == trees.load("Issue", JSONValue(parsing: text)), "\(text) after \(before)")
                }
            }
        }
    }

    /// A hook kept it, and it is put into an instance: the map does not know it.
    @Test func aModelOfARefusedImportIsNoInstance() throws {
        let kept = Mutex<UncheckedModel?>(nil)
        let fixtures = try IdentityFixtures { schema in
            guard schema.name == "Member" else { return schema }
            return schema.didDecode { model in
                kept.withLock { $0 = UncheckedModel(model: model) }
                throw ModelError(.invalidValue, expected: "nothing", found: "a member")
            }
        }
        let team = try fixtures.load("Team", "{'id': 1}")[0]
        #expect(try fixtures.problem("Member", "{'id': 2, 'name': 'a'}") != nil)
        let member = try #require(kept.withLock { $0 }).model
        team["lead"] = member
        // The member of the document is a new one, which the hook refuses again.
        #expect(try fixtures.problem("Team", "{'id': 1, 'lead': {'id': 2, 'name': 'a'}}") != nil)
        #expect(kept.withLock { $0 }?.model !== member)
    }
}

/// @unchecked: the tests use the model on one thread.
private struct UncheckedModel: @unchecked Sendable { let model: DynamicModel }
