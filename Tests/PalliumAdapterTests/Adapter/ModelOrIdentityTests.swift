import Foundation
import ModelTestSupport
import Pallium
import TestSupport
import Testing

/// The section *A model or its identity* of the article *Identity*, for documents.
@Suite struct ModelOrIdentityTests {
    private static let customer = ModelSchema(
        "Customer",
        [
            "id": .string.required.rules(.pattern("^cus_")), "name": .string.required,
            "level": .integer.default(1),
        ],
        identity: ["id"], allowsStubs: true
    ).didDecode { model in
        // A hook may rely on what the schema requires.
        guard model["name", as: String.self] != nil else { throw ModelTrouble() }
    }
    private static let tag = ModelSchema("Tag", ["id": .integer.required, "text": .string], identity: ["id"])
    private static let charge = ModelSchema(
        "Charge",
        [
            "customer": .model("Customer").byIdentity,
            "payers": .array(of: .model("Customer").byIdentity.nullable),
            "byRole": .dictionary(of: .model("Customer").byIdentity),
            "tags": .set(of: .model("Tag").byIdentity), "plain": .model("Tag"),
        ])
    private struct ModelTrouble: Error {}

    private let registry = SchemaRegistry()
    private let charges: JSONAdapter<DynamicModel>

    init() throws {
        try registry.register([Self.customer, Self.tag, Self.charge])
        charges = try JSONAdapter(schema: Self.charge, registry: registry)
    }

    private func written(_ document: String) throws -> String {
        String(decoding: try charges.data(from: charges.model(from: document)), as: UTF8.self)
    }

    @Test(arguments: [
        #"{"customer":"cus_1"}"#,
        #"{"customer":{"id":"cus_1","name":"Ada"}}"#,
        #"{"payers":["cus_1",{"id":"cus_2","name":"Ada"},null,"cus_3"]}"#,
        #"{"byRole":{"owner":"cus_1","guest":{"id":"cus_2","name":"Ada"}}}"#,
        #"{"tags":[7,{"id":8,"text":"new"}]}"#,
        #"{"customer":null,"tags":[]}"#,
        #"{"plain":{"id":7}}"#,
    ])
    func bothFormsAreWrittenAsTheyWereRead(document: String) throws {
        #expect(try written(document) == document)
        let tree = try JSONValue(parsing: document)
        #expect(try charges.jsonValue(from: charges.model(from: tree)) == tree)
        #expect(try charges.model(from: document) == charges.model(from: written(document)))
    }

    @Test func anObjectOfNothingButTheIdentityIsWrittenAsTheIdentity() throws {
        #expect(try written(#"{"tags":[{"id":7}]}"#) == #"{"tags":[7]}"#)
    }

    @Test func aStubBecomesAnObjectOnceItHasMore() throws {
        let charge = try charges.model(from: #"{"customer":"cus_1"}"#)
        let customer = try #require(charge["customer", as: DynamicModel.self])
        #expect(customer.schema.name == "Customer")
        #expect(customer["id", as: String.self] == "cus_1" && customer["level", as: Int.self] == 1)
        #expect(throws: Never.self) { try customer.validate() }
        try customer.setValue("Ada", forKey: "name")
        let text = String(decoding: try charges.data(from: charge), as: UTF8.self)
        #expect(text == #"{"customer":{"id":"cus_1","name":"Ada"}}"#)
    }

    @Test func aStubMadeInCodeIsWrittenAsItsIdentity() throws {
        let charge = DynamicModel(schema: Self.charge, registry: registry)
        let customer = DynamicModel(schema: Self.customer, registry: registry)
        try customer.setValue("cus_9", forKey: "id")
        try charge.setValue(customer, forKey: "customer")
        #expect(String(decoding: try charges.data(from: charge), as: UTF8.self) == #"{"customer":"cus_9"}"#)
    }

    @Test func accessorsOfWhatStubsLackAreOptional() throws {
        final class Person: DynamicModel {
            var id: String { value() }
            var name: String? {
                get { value() }
                set { set(newValue) }
            }
        }
        let person = ModelSchema(
            Person.self, ["id": .string.required, "name": .string.required], identity: ["id"], allowsStubs: true)
        let note = ModelSchema("Note", ["author": .model(Person.self).byIdentity])
        let registry = try SchemaRegistry.of(person, note)
        let model = try JSONAdapter(schema: note, registry: registry).model(from: #"{"author":"ada"}"#)
        let author = try #require(model["author", as: Person.self])
        #expect(author.id == "ada" && author.name == nil)
        author.name = "Ada"
        #expect(author.name == "Ada")
        author.name = nil
        #expect(try author.state(of: "name") == .unset)

        final class Strict: DynamicModel { var name: String { value() } }
        let strict = ModelSchema(
            Strict.self, ["id": .string.required, "name": .string.required], identity: ["id"], allowsStubs: true)
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry.of(strict).verifyAccessors(of: Strict.self, \.name)
        }
        #expect(error?.description.contains("is lacked by stubs, so its accessor must be optional") == true)
    }

    @Test(arguments: [
        (#"{"customer":7}"#, ModelError.Code.typeMismatch, "/customer"),
        (#"{"customer":true}"#, .typeMismatch, "/customer"),
        (#"{"customer":["cus_1"]}"#, .typeMismatch, "/customer"),
        (#"{"customer":"other"}"#, .ruleBroken, "/customer"),
        (#"{"customer":{"id":"cus_1"}}"#, .missingProperty, "/customer"),
        (#"{"payers":["cus_1",7]}"#, .typeMismatch, "/payers/1"),
        (#"{"byRole":{"a":"cus_1","b":"x"}}"#, .ruleBroken, "/byRole/b"),
        (#"{"byRole":{"a":null}}"#, .nullNotAllowed, "/byRole/a"),
        (#"{"tags":[1.5]}"#, .typeMismatch, "/tags/0"),
        (#"{"tags":[99999999999999999999]}"#, .numberOutOfRange, "/tags/0"),
        (#"{"plain":7}"#, .typeMismatch, "/plain"),
    ])
    func errorsHaveThePointerOfThePlace(document: String, code: ModelError.Code, pointer: String) throws {
        let error = try #require(throws: ModelError.self) { try charges.model(from: document) }
        #expect(error.code == code, "\(error)")
        #expect(error.pointer?.description == pointer, "\(error)")
        #expect(error.location != nil)
        let problems = charges.report(from: Data(document.utf8)).problems
        #expect(problems.map(\.code) == [code] && problems.map { $0.pointer?.description } == [pointer])
    }

    @Test func theExpectationNamesBothForms() throws {
        let error = try #require(throws: ModelError.self) { try charges.model(from: #"{"customer":7}"#) }
        #expect(error.expected == "an object, or its identity: a string")
    }

    @Test func aProjectionOfWhatAStubHasNotIsAnEmptyObject() throws {
        let charge = try charges.model(from: #"{"customer":"cus_1","tags":[7]}"#)
        let without = try charges.data(from: charge, except: ["customer.id"])
        #expect(String(decoding: without, as: UTF8.self) == #"{"customer":{},"tags":[7]}"#)
        let only = try charges.data(from: charge, only: ["customer.id"])
        #expect(String(decoding: only, as: UTF8.self) == #"{"customer":"cus_1"}"#)
    }

    @Test func aLabelledIdentityIsHiddenInBothForms() throws {
        let person = ModelSchema(
            "Person", ["email": .string.required.labels("pii").rules(.maxLength(12)), "name": .string],
            identity: ["email"])
        let note = ModelSchema(
            "Note", ["author": .model("Person").byIdentity, "readers": .array(of: .model("Person").byIdentity)])
        let notes = try JSONAdapter(schema: note, registry: .of(person, note))
        let document = #"{"author":"ada@x.org","readers":["bob@x.org",{"email":"cy@x.org","name":"Cy"}]}"#
        let model = try notes.model(from: document)
        #expect(!"\(model)".contains("@"))
        let masked = try notes.jsonValue(from: model, redacting: Redaction(["pii": .mask])).text()
        #expect(masked == #"{"author":"•••","readers":["•••",{"email":"•••","name":"Cy"}]}"#)
        let dropped = try notes.jsonValue(from: model, redacting: Redaction(["pii": .drop])).text()
        #expect(dropped == #"{"author":{},"readers":[{},{"name":"Cy"}]}"#)
        for wrong in [
            #"{"author":"secret@example.org"}"#, #"{"readers":[12345]}"#, #"{"author":12345}"#,
            #"{"readers":["a@x","secret@example.org"]}"#,
        ] {
            let error = try #require(throws: ModelError.self) { try notes.model(from: wrong) }
            #expect(!"\(error)".contains("secret") && !"\(error)".contains("12345"), "\(error)")
        }
        let text = notes.masked(Data(document.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(text?.contains("@") == false, "\(text ?? "")")
    }

    @Test func anIdentityIsConvertedByItsTransformers() throws {
        let item = ModelSchema(
            "Item", ["number": .integer.transformer(IntegerTextTransformerName), "text": .string], identity: ["number"])
        let list = ModelSchema("List", ["items": .array(of: .model("Item").byIdentity)])
        let lists = try JSONAdapter(schema: list, registry: .of(item, list))
        let document = #"{"items":["7",{"number":"8","text":"b"}]}"#
        let model = try lists.model(from: document)
        let first = try #require(model["items", as: [DynamicModel].self]?.first)
        #expect(first["number", as: Int.self] == 7)
        #expect(try lists.jsonValue(from: model).text() == document)
    }

    @Test func manyIdentitiesCountAsValues() throws {
        var properties = (0..<500).map { ModelSchema.Property("p\($0)", .string) }
        properties.append(ModelSchema.Property("id", .integer))
        var wide = ModelSchema.named("Wide", properties: properties)
        wide.identity = ["id"]
        let list = ModelSchema("List", ["items": .array(of: .model("Wide").byIdentity)])
        let options = JSONAdapterOptions.with { $0.reading.maximumValues = 10_000 }
        let lists = try JSONAdapter(schema: list, registry: .of(wide, list), options: options)
        let few = #"{"items":[1,2,3]}"#
        #expect(try lists.jsonValue(from: lists.model(from: few)).text() == few)
        let many = #"{"items":[\#((0..<1000).map(String.init).joined(separator: ","))]}"#
        let error = #expect(throws: ModelError.self) { try lists.model(from: many) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func documentsOfFormerVersionsHaveFormerIdentities() throws {
        var customer = ModelSchema(
            "Customer", ["key": .integer.required, "name": .string.required], identity: ["key"], allowsStubs: true,
            version: 3)
        customer.upgrades = [
            SchemaUpgrade(from: 1, renamed: ["id": "key"]),
            SchemaUpgrade(from: 2, transformed: ["key": [IntegerTextTransformerName]]),
        ]
        let charge = ModelSchema(
            "Charge", ["customer": .model("Customer").byIdentity, "all": .array(of: .model("Customer").byIdentity)])
        let adapter = try JSONAdapter(schema: charge, registry: .of(customer, charge))
        let old = #"{"v":{"Customer":1},"customer":"7","all":["8",{"id":"9","name":"Ada"}]}"#
        let model = try adapter.model(from: Data(old.utf8), versionMember: "v")
        #expect(
            try adapter.jsonValue(from: model).text()
                == #"{"customer":7,"all":[8,{"key":9,"name":"Ada"}]}"#)
    }
}
