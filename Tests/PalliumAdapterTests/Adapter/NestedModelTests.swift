import Dispatch
import ModelTestSupport
import Pallium
import Testing

/// Models in models: section N of the conformance table.
struct NestedModelTests {
    private func parent(_ property: PropertySchema) throws -> Entrances<DynamicModel> {
        let registry = try SchemaRegistry.ofFixtures()
        let schema = ModelSchema("Parent", ["child": property])
        try registry.register(schema)
        return Entrances(try JSONAdapter(schema: schema, registry: registry))
    }

    @Test(.row("C226", "C227")) func aModelIsReadAndWrittenInside() throws {
        let adapter = try parent(.model(TestModel.self))
        let text = #"{"child":{"username":null,"count":"1","nested":{"name":"x"}}}"#
        let model = try adapter.model(from: text)
        #expect(model["child", as: TestModel.self]?.nestedName == "x")
        #expect(try adapter.text(of: model) == text)
    }

    @Test(
        .row("C228", "C231", "C234"),
        arguments: [
            PropertySchema.model(TestModel.self), .array(of: .model(TestModel.self)), .set(of: .model(TestModel.self)),
            .dictionary(of: .model(TestModel.self)),
        ]) func nullIsNullWhereTheSchemaAllowsIt(property: PropertySchema) throws
    {
        let optional = try parent(property)
        #expect(try optional.roundTrip(#"{"child":null}"#) == #"{"child":null}"#)
        #expect(try optional.roundTrip("{}") == "{}")
        let problem = try parent(property.required).problem(of: #"{"child":null}"#)
        #expect(problem?.code == .nullNotAllowed)
    }

    @Test(.row("C229", "C230", "C206")) func nullElementsNeedANullableElement() throws {
        let objects = (0..<10).map { $0 == 2 ? "null" : #"{"count":"\#($0)"}"# }.joined(separator: ",")
        let text = #"{"child":[\#(objects)]}"#
        let adapter = try parent(.array(of: .model(TestModel.self).nullable))
        let model = try adapter.model(from: text)
        let children = model["child", as: [TestModel?].self]
        #expect(children?.count == 10)
        #expect(children?[2] == nil)
        #expect(children?[9]?.count == 9)
        #expect(try adapter.text(of: model) == text)
        let strict = try parent(.array(of: .model(TestModel.self)))
        #expect(strict.problem(of: text)?.code == .nullNotAllowed)
        #expect(strict.problem(of: text)?.pointer?.description == "/child/2")
    }

    @Test(.row("C233")) func schemasMayReferToEachOther() throws {
        let adapter = try entrances(Group.self)
        let text = #"{"owner":{"name":"Cameron","groups":[{"users":[]}]},"users":[{"name":"Dimitri"},{"name":"John"}]}"#
        let group = try adapter.model(from: text)
        #expect(group.owner?.name == "Cameron")
        #expect(group.users?.map(\.name) == ["Dimitri", "John"])
        #expect(group.owner?.groups?.count == 1)
        #expect(try adapter.text(of: group) == text)
    }

    @Test(
        .row("C235", "C237"),
        arguments: [
            (PropertySchema.model(TestModel.self), #"{"count":"x"}"#, "/child/count"),
            (.array(of: .model(TestModel.self)), #"[{},{"count":"x"}]"#, "/child/1/count"),
            (.dictionary(of: .model(TestModel.self)), #"{"a/b~":{"count":"x"}}"#, "/child/a~1b~0/count"),
            (.array(of: .array(of: .model(TestModel.self))), #"[[],[{},{"count":"x"}]]"#, "/child/1/1/count"),
        ]) func theErrorOfAnInnerModelHasTheWholePath(property: PropertySchema, value: String, pointer: String) throws
    {
        let problem = try parent(property).problem(of: #"{"child":\#(value)}"#)
        #expect(problem?.pointer?.description == pointer)
        #expect(problem?.schema == "TestModel")
        #expect(problem?.property == "count")
    }

    @Test(
        .row("C236"),
        arguments: [
            (#"["x"]"#, #""x""#), ("[[]]", "an array"), ("[1]", "the number 1"), ("[false]", "false"),
        ]) func anElementThatIsNoObjectRefusesTheArray(value: String, found: String) throws
    {
        #expect(
            try parent(.array(of: .model(TestModel.self))).sentence(of: #"{"child":\#(value)}"#)
                == "expected an object but found \(found) at /child/0 (1:11)")
    }

    @Test(.row("C238")) func plainModelsAreReadAndWrittenAlike() throws {
        let adapter = try Plain.adapter([
            ModelSchema("Parent", ["list": .array(of: .model("Child"))]), ModelSchema("Child", ["a": .integer]),
        ])
        #expect(try adapter.roundTrip(#"{"list":[{"a":1},{}]}"#) == #"{"list":[{"a":1},{}]}"#)
    }

    @Test(.row("C239")) func aSetIsReadFromAnArrayWithoutRepeatsAndWrittenInItsOrder() throws {
        let adapter = try parent(.set(of: .model(TestModel.self)))
        let model = try adapter.model(from: #"{"child":[{"count":"2"},{"count":"1"},{"count":"2"}]}"#)
        #expect(model["child", as: Set<TestModel>.self]?.count == 2)
        #expect(try adapter.text(of: model) == #"{"child":[{"count":"2"},{"count":"1"}]}"#)
    }

    @Test(.row("C241")) func emptyCollectionsStayEmpty() throws {
        #expect(try parent(.array(of: .model(TestModel.self))).roundTrip(#"{"child":[]}"#) == #"{"child":[]}"#)
        #expect(try parent(.dictionary(of: .model(TestModel.self))).roundTrip(#"{"child":{}}"#) == #"{"child":{}}"#)
    }

    @Test(.row("C243", "C221")) func oneAdapterServesManyThreads() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let adapter = JSONAdapter(Group.self, registry: registry)
        let users = (0..<50).map { #"{"name":"user \#($0)"}"# }.joined(separator: ",")
        let bytes = Array(#"{"owner":{"name":"Ada"},"users":[\#(users)]}"#.utf8)
        let failures = Journal()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20 {
                do {
                    let group = try adapter.model(from: bytes)
                    let written = [UInt8](try adapter.data(from: group))
                    if group.users?.count != 50 || written != bytes { failures.add("another group") }
                } catch { failures.add("\(error)") }
            }
        }
        #expect(failures.all == [])
    }

    @Test(.threat(.registryRaces), .row("C243")) func adaptersMayBeMadeAtTheSameTime() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let failures = Journal()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                let adapter = JSONAdapter(
                    Group.self, registry: registry,
                    options: .with { if number % 2 == 0 { $0.leniency = .numbersAsText } })
                let group = try adapter.model(from: #"{"owner":{"name":"Ada"}}"#)
                if group.owner?.name != "Ada" { failures.add("another group") }
            } catch { failures.add("\(error)") }
        }
        #expect(failures.all == [])
    }

    private final class Strict: DynamicModel {
        static let schema = ModelSchema(Strict.self, ["a": .integer, "b": .integer], name: "Strict")
        override func didDecode() throws { if self["a", as: Int.self] == 1 { throw FixtureError.refused } }
    }

    @Test func whatAHookRefusesIsTheModelNotItsLastMember() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Parent", ["list": .array(of: .model(Strict.self))])
        try registry.register(schema, Strict.schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let error = #expect(throws: ModelError.self) {
            try adapter.model(from: #"{"list": [{"a": 2, "b": 3}, {"a": 1, "b": 2}]}"#)
        }
        #expect(error?.code == .hookFailed)
        #expect(error?.pointer?.description == "/list/1")
        #expect(error?.location?.description == "1:29")
    }
}
