import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Models of which a document gives a part only, where they are new, gone or protected.
@Suite("Parts of models")
struct PartialModelTests {
    let registry = SchemaRegistry()
    let adapter: JSONAdapter<DynamicModel>
    let model: DynamicModel

    init() throws {
        try registry.register(
            ModelSchema(
                "Author",
                [
                    "name": .string.required, "age": .integer.default(30), "nick": .string.default("n").nullable,
                    "mail": .string,
                ]),
            ModelSchema(
                "Post",
                [
                    "author": .model("Author").merge(.recurse), "kept": .string.required.merge(.keep),
                    "plain": .string.required.merge(.replace), "most": .integer.required.merge(.max),
                ]))
        adapter = try JSONAdapter(
            schema: registry.schema(named: "Post"), registry: registry, options: .with { $0.unknownMembers = .keep })
        model = try adapter.model(
            from: #"{"author": {"name": "ada", "age": 36}, "kept": "k", "plain": "p", "most": 3}"#)
    }

    private var author: DynamicModel? { model.model("author") }

    @Test func nullInANewModelMeansWhatTheSchemaSays() throws {
        model["author"] = nil
        try adapter.merge(#"{"author": {"name": "eve", "age": null, "nick": null}}"#, into: model)
        #expect(author?["age", as: Int.self] == 30)
        #expect(try author?.state(of: "age") == .defaulted)
        #expect(try author?.state(of: "nick") == .null)
        #expect(try author?.state(of: "mail") == .unset)
    }

    @Test(arguments: [false, true])
    func nullIsRefusedWhereThePolicyTakesItAndIgnoredWhereItDoesNot(isRebase: Bool) throws {
        if isRebase { model.trackChanges() }
        let merge = { (document: String) in
            try isRebase ? adapter.rebase(model, onto: document) : adapter.merge(document, into: model)
        }
        #expect(try merge(#"{"kept": null, "most": null}"#).isEmpty)
        #expect(model["kept", as: String.self] == "k")
        #expect(model["most", as: Int.self] == 3)
        let error = #expect(throws: ModelError.self) { try merge(#"{"most": 5, "plain": null}"#) }
        #expect(error?.code == .nullNotAllowed)
        #expect(error?.pointer?.description == "/plain")
        #expect(error?.location?.description == "1:22")
        #expect(model["most", as: Int.self] == 3)
        #expect(!model.hasChanges)
    }

    @Test(arguments: [false, true]) func aDefaultThatADocumentSaysIsAValue(isRebase: Bool) throws {
        let schema = ModelSchema("Thing", ["size": .integer.default(3), "part": .model("Thing").merge(.recurse)])
        let adapter = try JSONAdapter(schema: schema, registry: .of(schema))
        let thing = try adapter.model(from: #"{"part": {}}"#)
        let part = try #require(thing.model("part"))
        if isRebase { thing.trackChanges() }
        let document = #"{"size": 3, "part": {"size": 3}}"#
        let changes = try isRebase ? adapter.rebase(thing, onto: document) : adapter.merge(document, into: thing)
        #expect(changes.isEmpty)
        #expect(try thing.state(of: "size") == .value)
        #expect(try part.state(of: "size") == .value)
        #expect(!thing.hasChanges)
    }

    @Test func anEditStaysWhereADocumentSaysTheDefault() throws {
        let schema = ModelSchema("Thing", ["size": .integer.default(3)])
        let adapter = try JSONAdapter(schema: schema, registry: .of(schema))
        let thing = try adapter.model(from: "{}")
        thing.trackChanges()
        thing["size"] = 4
        try adapter.rebase(thing, onto: #"{"size": 3}"#)
        #expect(thing["size", as: Int.self] == 4)
        try adapter.rebase(thing, onto: #"{"size": 4}"#)
        #expect(!thing.hasChanges)
    }

    /// Tells what each model holds whose hook runs.
    private final class Witness: DynamicModel {
        @TaskLocal static var journal = Journal()

        override func didDecode() throws { Self.journal.add(description) }
    }

    @Test func theHookOfAClassRunsOnTheModelAndNotOnThePart() throws {
        let registry = try SchemaRegistry.of(
            ModelSchema(Witness.self, ["id": .integer.required, "note": .string]),
            ModelSchema("Holder", ["witness": .model(Witness.self).merge(.recurse)]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
        try Witness.$journal.withValue(Journal()) {
            let holder = try adapter.model(from: #"{"witness": {"id": 1, "note": "a"}}"#)
            try adapter.merge(#"{"witness": {"id": 2}}"#, into: holder)
            #expect(Witness.journal.all == [#"Witness(id: 1, note: "a")"#, #"Witness(id: 2, note: "a")"#])
        }
    }

    @Test func membersThatNoPropertyMapsAreTakenOver() throws {
        try adapter.merge(#"{"extra": 1}"#, into: model)
        try adapter.merge(#"{"extra": 2, "more": [null], "most": 1}"#, into: model)
        let json = try JSONValue(parsing: Array(adapter.data(from: model)))
        #expect(json["extra"] == 2)
        #expect(json["more"] == [nil])
        #expect(json["most"] == 3)
    }

    /// The document says something about the model that the program has removed or replaced.
    @Test func aPartOfAModelThatIsGoneMovesItsBaseOn() throws {
        let ada = try #require(author)
        model.trackChanges()
        model["author"] = nil
        let changes = try adapter.rebase(model, onto: #"{"author": {"name": "Ada", "age": null}}"#)
        #expect(author == nil)
        #expect(changes.conflicts.pointers == ["/author"])
        model.revert()
        #expect(author?["name", as: String.self] == "Ada")
        // Null is not allowed, so it stands for the default.
        #expect(author?["age", as: Int.self] == 30)
        #expect(ada["name", as: String.self] == "ada")
    }

    @Test func aPartOfAModelThatWasReplacedIsMergedIntoTheOtherOne() throws {
        let ada = try #require(author)
        model.trackChanges()
        ada.stopTrackingChanges()
        let eve = DynamicModel(schema: try registry.schema(named: "Author"), registry: registry)
        eve["name"] = "eve"
        model["author"] = eve
        try adapter.rebase(model, onto: #"{"author": {"mail": "a@b"}}"#)
        #expect(author === eve)
        #expect(eve["mail", as: String.self] == "a@b")
        #expect(ada["mail"] == nil)
        model.revert()
        #expect(author?["name", as: String.self] == "ada")
        #expect(author?["mail", as: String.self] == "a@b")
    }

    /// A part that does not say its class is read as the model that an edit removed or added, which says more of a property.
    @Test(arguments: ["item", "items"], [false, true])
    func aPartHasTheClassOfTheModelThatAnEditRemovedOrAdded(_ key: String, isAdded: Bool) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Person", ["id": .integer]), ModelSchema("Special", ["rank": .integer], extends: "Person"),
            ModelSchema(
                "Base", ["number": .integer, "owner": .model("Person")],
                cluster: .discriminator("kind", ["child": "Child"], default: "Base")),
            ModelSchema("Child", ["owner": .model("Special")], extends: "Base"),
            ModelSchema(
                "Holder",
                [
                    "item": .model("Base").merge(.recurse),
                    "items": .array(of: .model("Base")).merge(.byIdentifier("number")),
                ]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
        let child = #"{"kind": "child", "number": 1, "owner": {"id": 1, "rank": 3}}"#
        let holder = try adapter.model(from: #"{"item": \#(child), "items": [\#(child)]}"#)
        let (item, items) = (holder.model("item"), holder.models("items"))
        func remove() {
            if key == "item" { holder["item"] = nil } else { holder["items"] = [DynamicModel]() }
        }
        if isAdded { remove() }
        holder.trackChanges()
        if !isAdded {
            remove()
        } else if key == "item" {
            holder["item"] = item
        } else {
            holder["items"] = items
        }
        let part = #"{"number": 1, "owner": {"id": 2}}"#
        let changes = try adapter.rebase(
            holder, onto: key == "item" ? #"{"item": \#(part)}"# : #"{"items": [\#(part)]}"#)
        let place = key == "item" ? "/item" : "/items/0"
        #expect(changes.conflicts.map(\.pointer.description) == [isAdded ? place + "/owner" : place])
        holder.revert()
        let reverted = key == "item" ? holder.model("item") : holder.models("items").first
        #expect(reverted?.model("owner")?.description == "Special(id: 2)")
    }

    /// Holders of persons with a name, who have a rank and a level of 3.
    private func holders() throws -> JSONAdapter<DynamicModel> {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Person",
                ["id": .integer, "name": .string, "rank": .integer.required, "level": .integer.default(3)],
                identity: ["id"]),
            ModelSchema(
                "Holder",
                [
                    "item": .model("Person").merge(.recurse),
                    "named": .array(of: .model("Person")).merge(.byIdentifier("name")),
                ]))
        return try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
    }

    /// The document says something about another model than the one that the program removed; that one stands in the
    /// base from now on, and a revert brings it back.
    @Test(arguments: ["item", "named", "removed list", "another list"])
    func whatStandsInABaseOnlyIsComplete(_ place: String) throws {
        let adapter = try holders()
        let ada = #"{"id": 1, "name": "a", "rank": 1}"#
        let holder = try adapter.model(from: #"{"item": \#(ada), "named": [\#(ada)]}"#)
        let before = holder.deepCopy()
        holder.trackChanges()
        let key = place == "item" ? place : "named"
        switch place {
        case "item": holder["item"] = nil
        case "named": holder["named"] = [DynamicModel]()
        default: holder["named"] = nil
        }
        func document(_ members: String) -> String {
            let person = #"{"id": 2, "name": "\#(place == "another list" ? "b" : "a")"\#(members)}"#
            return key == "item" ? #"{"item": \#(person)}"# : #"{"named": [\#(person)]}"#
        }
        let error = #expect(throws: ModelError.self) { try adapter.rebase(holder, onto: document("")) }
        #expect(error?.code == .missingProperty)
        #expect(error?.pointer?.description == (key == "item" ? "/item" : "/named/0"))
        #expect(holder.changedKeys == [key])
        try adapter.rebase(holder, onto: document(#", "rank": 2"#))
        #expect(holder.model("item") == (key == "item" ? nil : before.model("item")))
        holder.revert()
        let persons = key == "item" ? [try #require(holder.model("item"))] : holder.models("named")
        #expect(persons.map { $0["rank", as: Int.self] }.contains(2))
        #expect(persons.allSatisfy { $0["level", as: Int.self] == 3 })
    }

    /// The document says something about the very model that the program put where the base has another one, or none.
    @Test(arguments: ["item", "named"])
    func aPartOfAModelThatTheProgramPutThereNeedNotBeComplete(_ key: String) throws {
        let adapter = try holders()
        let holder = try adapter.model(from: #"{"item": {"id": 1, "name": "a", "rank": 1}, "named": []}"#)
        let other = try adapter.model(from: #"{"item": {"id": 2, "name": "b", "rank": 2, "level": 5}}"#)
        holder.trackChanges()
        let person = try #require(other.model("item"))
        if key == "item" { holder["item"] = person } else { holder["named"] = [person] }
        let part = #"{"id": 2, "name": "b"}"#
        let changes = try adapter.rebase(
            holder, onto: key == "item" ? #"{"item": \#(part)}"# : #"{"named": [\#(part)]}"#)
        #expect(changes.isEmpty)
        // What the document did not say is still to be sent, and what must be there is there after a revert.
        #expect(holder.pendingChanges.pointers == [key == "item" ? "/item/level" : "/named/0/level"])
        holder.revert()
        let restored = try #require(key == "item" ? holder.model("item") : holder.models("named").first)
        #expect(restored["id", as: Int.self] == 2)
        #expect(restored["rank", as: Int.self] == 2)
        #expect(restored["level", as: Int.self] == 3)
    }
}
