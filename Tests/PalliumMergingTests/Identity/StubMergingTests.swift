import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The section *A model or its identity* of the article *Identity*, for merges and imports.
@Suite struct StubMergingTests {
    private static let customer = ModelSchema(
        "Customer", ["id": .string.required, "name": .string.required, "level": .integer.default(1)],
        identity: ["id"], allowsStubs: true
    ).validate { model in
        guard model["name", as: String.self] != "" else { throw CancellationError() }
    }
    private static let charge = ModelSchema(
        "Charge",
        [
            "id": .integer.required, "customer": .model("Customer").byIdentity,
            "payers": .array(of: .model("Customer").byIdentity),
            "byRole": .dictionary(of: .model("Customer").byIdentity),
            "merged": .model("Customer").byIdentity.merge(.recurse),
            "matched": .array(of: .model("Customer").byIdentity).merge(.byIdentifier(missing: .remove)),
        ], identity: ["id"])

    private let charges: JSONAdapter<DynamicModel>
    private let customers: JSONAdapter<DynamicModel>
    private let registry = SchemaRegistry()

    init() throws {
        try registry.register([Self.customer, Self.charge])
        charges = try JSONAdapter(schema: Self.charge, registry: registry)
        customers = try JSONAdapter(schema: Self.customer, registry: registry)
    }

    private static let ada = #"{"id":"a","name":"Ada"}"#
    private static let bob = #"{"id":"b","name":"Bob"}"#

    private func text(_ model: DynamicModel) throws -> String { try charges.jsonValue(from: model).text() }

    @Test(arguments: [
        // What there was, the document, and the result.
        (#""customer":\#(ada)"#, #""customer":"a""#, #""customer":\#(ada)"#),
        (#""customer":\#(ada)"#, #""customer":"b""#, #""customer":"b""#),
        (#""customer":"a""#, #""customer":\#(ada)"#, #""customer":\#(ada)"#),
        (#""customer":\#(ada)"#, #""customer":null"#, #""customer":null"#),
        (#""payers":[\#(ada),\#(bob)]"#, #""payers":["b","c","a"]"#, #""payers":[\#(bob),"c",\#(ada)]"#),
        (#""byRole":{"x":\#(ada)}"#, #""byRole":{"y":"a","z":"b"}"#, #""byRole":{"y":\#(ada),"z":"b"}"#),
        (#""merged":\#(ada)"#, #""merged":"a""#, #""merged":\#(ada)"#),
        (#""merged":\#(ada)"#, #""merged":"b""#, #""merged":"b""#),
        (#""matched":[\#(ada),\#(bob)]"#, #""matched":["b","c"]"#, #""matched":[\#(bob),"c"]"#),
    ])
    func aStubSaysOnlyWhichModelIsMeant(present: String, document: String, result: String) throws {
        let charge = try charges.model(from: #"{"id":1,\#(present)}"#)
        try charges.merge(#"{"id":1,\#(document)}"#, into: charge)
        #expect(try text(charge) == #"{"id":1,\#(result)}"#)
        // The same from a model.
        let other = try charges.model(from: #"{"id":1,\#(present)}"#)
        try other.merge(from: charges.model(from: #"{"id":1,\#(document)}"#))
        #expect(try text(other) == #"{"id":1,\#(result)}"#)
    }

    @Test func aMergeOfAStubChangesNothing() throws {
        let charge = try charges.model(from: #"{"id":1,"customer":\#(Self.ada)}"#)
        let customer = try #require(charge["customer", as: DynamicModel.self])
        let changes = try charges.merge(#"{"id":1,"customer":"a"}"#, into: charge)
        #expect(changes.isEmpty)
        #expect(charge["customer", as: DynamicModel.self] === customer)
    }

    @Test func aRebaseKeepsEditsOfTheModelThatIsMeant() throws {
        let charge = try charges.model(from: #"{"id":1,"customer":\#(Self.ada)}"#)
        charge.trackChanges()
        try charge["customer", as: DynamicModel.self]?.setValue("Countess", forKey: "name")
        try charges.rebase(charge, onto: #"{"id":1,"customer":"a"}"#)
        #expect(charge["customer", as: DynamicModel.self]?["name", as: String.self] == "Countess")
        #expect(charge.hasChanges)
    }

    @Test func anImportFindsTheInstance() throws {
        let map = IdentityMap()
        let page = try map.import(
            #"[{"id":1,"customer":"a","payers":["a","b"]},{"id":2,"customer":"a"}]"#, using: charges)
        let customer = try #require(page[0]["customer", as: DynamicModel.self])
        #expect(page[1]["customer", as: DynamicModel.self] === customer)
        #expect(page[0]["payers", as: [DynamicModel].self]?.first === customer)
        #expect(customer["level", as: Int.self] == 1)
        try map.import(Self.ada, using: customers)
        #expect(customer["name", as: String.self] == "Ada")
        let again = try map.import(#"{"id":2,"customer":"a"}"#, using: charges)
        #expect(again.changes.isEmpty)
        #expect(try text(page[1]) == #"{"id":2,"customer":\#(Self.ada)}"#)
        // In an import an object may be partial.
        try map.import(#"{"id":"c"}"#, using: customers)
        #expect(throws: ModelError.self) { try map.import(#"{"id":"d","level":2}"#, using: customers) }
    }

    @Test func aCopyAndAnArchiveKeepStubs() throws {
        let document = #"{"id":1,"customer":"a","payers":["b",\#(Self.ada)]}"#
        let charge = try charges.model(from: document)
        #expect(try text(charge.deepCopy()) == document)
        let unarchived = try ModelUnarchiver(
            registry: registry, allowing: [.named("Charge"), .named("Customer")]
        ).unarchive(DynamicModel.self, from: ModelArchiver().archive(charge))
        #expect(try text(unarchived) == document)
        #expect(unarchived == charge)
    }
}
