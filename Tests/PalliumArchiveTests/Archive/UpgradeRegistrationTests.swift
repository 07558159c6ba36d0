import Foundation
import Pallium
import TestSupport
import Testing

/// What registration finds wrong with upgrades.
@Suite struct UpgradeRegistrationTests {
    private func problems(_ schemas: ModelSchema...) -> [String] {
        do {
            _ = try SchemaRegistry.of(schemas)
            return []
        } catch let error as SchemaError {
            return error.problems.map(\.description)
        } catch { return ["\(error)"] }
    }

    private func model(_ steps: SchemaUpgrade..., version: Int = 2) -> ModelSchema {
        var schema = ModelSchema("Model", ["email": .string, "name": .string], version: version)
        schema.upgrades = steps
        return schema
    }

    @Test func aStepThatMakesAKeyThatNobodyHasIsAnError() {
        let wrong: [(SchemaUpgrade, String)] = [
            (SchemaUpgrade(from: 1, renamed: ["mail": "emial"]), "renames \"mail\" to \"emial\""),
            (SchemaUpgrade(from: 1, defaults: ["emial": "x"]), "gives a default to \"emial\""),
            (SchemaUpgrade(from: 1, transformed: ["emial": ["URL"]]), "transforms \"emial\""),
        ]
        for (step, text) in wrong {
            let found = problems(model(step))
            #expect(found.count == 1 && found[0].contains(text) && found[0].contains("did you mean email?"), "\(found)")
        }
        #expect(problems(model(SchemaUpgrade(from: 1, renamed: ["mail": "email"]))) == [])
        // A later step goes on with the key.
        for later in [
            SchemaUpgrade(from: 2, renamed: ["emial": "email"]), SchemaUpgrade(from: 2, removed: ["emial"]),
            SchemaUpgrade(from: 2) { $0["email"] = $0["emial"] },
        ] {
            #expect(problems(model(SchemaUpgrade(from: 1, renamed: ["mail": "emial"]), later, version: 3)) == [])
        }
        // Code of the same step sees renamed keys, but not the defaults that come after it.
        let code = SchemaUpgrade(from: 1, renamed: ["mail": "raw"]) { $0["email"] = $0["raw"] }
        #expect(problems(model(code)) == [])
        let early = SchemaUpgrade(from: 1, defaults: ["raw": "x"]) { $0["email"] = $0["raw"] }
        #expect(problems(model(early)).count == 1)
    }

    @Test func anInheritedKeyIsAKey() throws {
        let base = ModelSchema("Base", ["email": .string])
        var child = ModelSchema("Child", [:], extends: "Base", version: 2)
        child.upgrades = [SchemaUpgrade(from: 1, renamed: ["mail": "email"])]
        #expect(problems(base, child) == [])
    }

    @Test func twoSchemasThatClaimOneOldNameAreAnError() {
        func schema(_ name: String, _ old: String?, version: Int = 2, from: Int = 1) -> ModelSchema {
            var schema = ModelSchema(name, ["kind": .string], version: version)
            if let old {
                schema.upgrades = (from..<version).map {
                    SchemaUpgrade(from: $0, oldSchemaName: $0 == from ? old : nil)
                }
            }
            return schema
        }
        for pair in [
            [schema("Car", "Vehicle"), schema("Truck", "Vehicle")],
            [schema("Car", "Vehicle"), schema("Vehicle", nil, version: 1)],
            [schema("Vehicle", nil, version: 1), schema("Car", "Vehicle")],
        ] {
            let found = problems(pair[0], pair[1])
            #expect(found.count == 1 && found[0].contains("\"Vehicle\""), "\(found)")
            // In two calls, too.
            let registry = SchemaRegistry()
            #expect(throws: Never.self) { try registry.register(pair[0]) }
            #expect(throws: SchemaError.self) { try registry.register(pair[1]) }
        }
        // Other versions are other models.
        let later = problems(
            schema("Car", "Vehicle", version: 3, from: 2), schema("Truck", "Vehicle", version: 3, from: 2))
        #expect(later.count == 1 && later[0].contains("models of \"Vehicle\", version 1, may be"), "\(later)")
        // The first version in which both have the name is named.
        let second = problems(
            schema("Car", "Vehicle", version: 3, from: 2), schema("Vehicle", "Thing", version: 3))
        #expect(second.count == 1 && second[0].contains("models of \"Vehicle\", version 2, may be"), "\(second)")
        #expect(problems(schema("Car", "Vehicle"), schema("Truck", "Lorry")) == [])
        #expect(problems(schema("Person", "Contact"), model()) == [])
        #expect(problems(schema("Car", "Vehicle"), schema("Vehicle", "Thing", version: 2)) == [])
    }
}
