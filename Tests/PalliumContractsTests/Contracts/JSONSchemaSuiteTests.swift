import Foundation
import Pallium
import PalliumContracts
import TestSupport
import Testing

/// The official test suite of JSON Schema 2020-12, as far as contracts are read.
///
/// Each group is a schema with instances. A schema is either refused with its place, or every instance gets the verdict of
/// the suite as a property of a model.
@Suite(.needs(shared: "JSONSchemaTestSuite")) struct JSONSchemaSuiteTests {
    private struct Group {
        let name: String
        let schema: JSONValue
        let tests: [JSONValue]
    }

    private static func groups(_ folder: String) throws -> [Group] {
        let path = SharedData.folder.appendingPathComponent(folder)
        var groups: [Group] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
        where file.hasSuffix(".json") {
            let document = try JSONValue(parsing: SharedData.bytes("\(folder)/\(file)"))
            for group in document.arrayValue ?? [] {
                groups.append(
                    Group(
                        name: "\(file): \(group["description"]?.stringValue ?? "")",
                        schema: group["schema"] ?? .null, tests: group["tests"]?.arrayValue ?? []))
            }
        }
        return groups
    }

    /// Groups that must be read, because the article *Contracts* says so.
    private static let readable = [
        "type.json: integer type matches integers", "type.json: number type matches numbers",
        "type.json: string type matches strings", "type.json: object type matches objects",
        "type.json: array type matches arrays", "type.json: boolean type matches booleans",
        "type.json: type as array with one item", "items.json: nested items", "const.json: const validation",
        "const.json: const with -2.0 matches integer and float types",
        "const.json: float and integers are equal up to 64-bit representation limits",
        "const.json: nul characters in strings",
        "const.json: characters with the same visual representation, but different number of codepoints",
        "enum.json: simple enum validation", "enum.json: heterogeneous enum-with-null validation",
        "enum.json: enum with escaped characters", "multipleOf.json: float division = inf",
        "multipleOf.json: small multiple of large integer", "ref.json: nested refs",
        "ref.json: $id with file URI still resolves pointers - *nix", "ref.json: $ref to boolean schema true",
    ]

    /// Without `isLossless`, the rest of each schema is read, and no valid document is refused or changed.
    @Test func validDocumentsStayValidAndEqual() throws {
        var equal = 0
        for group in try Self.groups("JSONSchemaTestSuite") {
            let registry = SchemaRegistry()
            let result = try registry.load(
                jsonSchema: (try? group.schema.bytes()) ?? [], ofProperty: "value", of: "Root")
            // A schema without a type is read as one of objects if it requires members or refuses others.
            if result.losses.contains(where: { $0.message.contains("only objects are accepted") }) { continue }
            var options = JSONAdapterOptions()
            options.unknownMembers = .keep
            let adapter = try JSONAdapter(schema: registry.schema(named: "Root"), registry: registry, options: options)
            for test in group.tests where test["valid"] == true {
                let document = JSONValue.object(["value": try #require(test["data"])])
                if Self.isBeyondKinds(test) { continue }
                let model = try? adapter.model(from: document.text())
                #expect(model != nil, "\(group.name): \(test["description"]?.stringValue ?? "")")
                guard let model else { continue }
                let written = try JSONValue(parsing: adapter.data(from: model))
                #expect(written == document, "\(group.name): \(test["description"]?.stringValue ?? "")")
                equal += 1
            }
        }
        print("JSON Schema suite: \(equal) valid documents accepted and equal")
    }

    /// Whether a document has numbers beyond 64 bits, which the article *Contracts* excludes.
    private static func isBeyondKinds(_ test: JSONValue) -> Bool {
        if case .number(let number)? = test["data"] { number.isInteger && number.int64 == nil } else { false }
    }

    @Test func verdictsAreThoseOfTheSuite() throws {
        var options = ContractOptions()
        options.isLossless = true
        var read: Set<String> = []
        var equal = 0
        var refused = 0
        for group in try Self.groups("JSONSchemaTestSuite") {
            let registry = SchemaRegistry()
            let result: ContractSchemas
            do throws(SchemaError) {
                result = try registry.load(
                    jsonSchema: (try? group.schema.bytes()) ?? [], ofProperty: "value", of: "Root",
                    options: options)
            } catch {
                refused += 1
                #expect(error.problems.allSatisfy { $0.source != nil }, "\(group.name): \(error)")
                continue
            }
            read.insert(group.name)
            equal += try agreements(group, registry, result)
        }
        #expect(Set(Self.readable).subtracting(read).isEmpty)
        print("JSON Schema suite: \(read.count) groups read, \(equal) verdicts equal, \(refused) groups refused")
    }

    @Test func formatsOfTexts() throws {
        var equal = 0
        for group in try Self.groups("JSONSchemaTestSuite/optional-format") {
            let registry = SchemaRegistry()
            var schema = try #require(group.schema.objectValue)
            schema["type"] = "string"
            let texts = group.tests.filter {
                $0["data"]?.stringValue != nil && !Self.exceptions.contains($0["description"]?.stringValue ?? "")
            }
            let result = try registry.load(
                jsonSchema: JSONValue.object(schema).bytes(), ofProperty: "value", of: "Root")
            equal += try agreements(Group(name: group.name, schema: group.schema, tests: texts), registry, result)
        }
        #expect(equal > 0)
        print("JSON Schema suite: \(equal) verdicts about formats equal")
    }

    /// Texts that the rules of these formats allow although RFC 3339 and RFC 3986 refuse them; the article *Contracts* says
    /// so.
    private static let exceptions: Set<String> = [
        "an invalid date-time with leap second on a wrong minute, UTC",
        "an invalid date-time with leap second on a wrong hour, UTC",
        "invalid userinfo", "non-numeric port is invalid", "leading zero in an embedded IPv4 address is invalid",
        "square brackets are not allowed in a path segment",
    ]

    /// Counts the instances for which the verdicts are equal, and reports the others.
    private func agreements(_ group: Group, _ registry: SchemaRegistry, _ result: ContractSchemas) throws -> Int {
        let adapter = try JSONAdapter(schema: registry.schema(named: "Root"), registry: registry)
        var equal = 0
        for test in group.tests {
            let report = try adapter.report(from: JSONValue.object(["value": #require(test["data"])]))
            let isEqual = .bool(report.problems.isEmpty) == test["valid"]
            if isEqual { equal += 1 }
            #expect(isEqual, "\(group.name): \(test["description"]?.stringValue ?? ""), \(report.problems)")
        }
        return equal
    }
}
