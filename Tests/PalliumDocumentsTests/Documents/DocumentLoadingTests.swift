import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The classes that documents are bound to; schemas are named after the last component.
private enum Bound {
    final class User: DynamicModel {
        var login: String { value() }
    }

    final class Issue: DynamicModel {
        var assignee: User? { value() }
    }
}

private enum Elsewhere {
    final class User: DynamicModel {}
}

private let issue = #"{"name": "Issue", "properties": {"assignee": {"kind": "model", "model": "User"}}}"#
private let user = #"{"name": "User", "properties": {"login": {"kind": "string", "default": "nobody"}}}"#

/// From files and bytes into a registry, all or nothing.
struct DocumentLoadingTests {
    private func write(_ texts: [String: String], to folder: URL) throws {
        for (name, text) in texts { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    }

    private func problems(_ load: () throws(SchemaError) -> Void) -> [String] {
        do throws(SchemaError) {
            try load()
            return []
        } catch { return error.problems.map(\.description) }
    }

    @Test func commentsLeaveTheLinesAndColumnsOfProblems() {
        let text = """
            // The first
            [{"name": "A", /* "b": */ "properties": {
               "a": {"kind": "strnig"}, // a "comment"
            },},]
            """
        #expect(
            problems { () throws(SchemaError) in _ = try SchemaRegistry().load(Array(text.utf8), name: "a.json") }
                .first?.hasPrefix("a.json:3:18: ") ?? false)
        let open = #"{"name": "A" /* }"#
        #expect(
            problems { () throws(SchemaError) in _ = try SchemaRegistry().load(Array(open.utf8), name: "a.json") }
                .first?.hasPrefix("a.json:1:14: the document is not valid JSON") ?? false)
    }

    @Test func aFolderIsLoadedInTheOrderOfItsNames() throws {
        try withTemporaryFolder { folder in
            try write(["b.json": user, "B.json": #"[{"name": "X"}, {"name": "Y"}]"#, "a.json": issue], to: folder)
            let registry = SchemaRegistry()
            let loaded = try registry.load(contentsOf: folder)
            #expect(loaded.map(\.name) == ["X", "Y", "Issue", "User"])
            #expect(registry.schemas == loaded)
        }
    }
    @Test func severalFoldersAreOneSet() throws {
        try withTemporaryFolder { folder in
            let folders = ["a", "b"].map { folder.appendingPathComponent($0) }
            for url in folders { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
            try write(["issue.json": issue], to: folders[0])
            try write(["user.json": user], to: folders[1])
            let registry = SchemaRegistry()
            #expect(problems { () throws(SchemaError) in try registry.load(contentsOf: folders[0]) }.count == 1)
            let loaded = try registry.load(contentsOf: folders, classes: [Bound.User.self])
            #expect(loaded.map(\.name) == ["Issue", "User"])
            #expect(registry.schemas.map { $0.modelClass == Bound.User.self } == [false, true])
            #expect(try registry.load(contentsOf: [URL]()).isEmpty)
        }
    }

    @Test func problemsOfSeveralFoldersHaveTheirPathsAndRegisterNothing() throws {
        try withTemporaryFolder { folder in
            let folders = ["a", "b"].map { folder.appendingPathComponent($0) }
            for url in folders { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
            try write(["x.json": user], to: folders[0])
            try write(["x.json": #"{"name": "User"}"#, "y.json": #"{"nme": 1}"#], to: folders[1])
            let registry = SchemaRegistry()
            let missing = folder.appendingPathComponent("c")
            let found = problems { () throws(SchemaError) in try registry.load(contentsOf: folders + [missing]) }
            #expect(found.count == 4)
            #expect(found.first == "\(missing.path): there is no such file or folder")
            #expect(
                found.contains(
                    "\(folders[1].path)/x.json:1:10: User: another schema of this name is at "
                        + "\(folders[0].path)/x.json:1:10; choose another name"))
            #expect(found.count { $0.hasPrefix("\(folders[1].path)/y.json:1:") } == 2)
            #expect(registry.schemas.isEmpty)
        }
    }

    @Test func hiddenFilesOtherFilesAndSubfoldersArePassedOver() throws {
        try withTemporaryFolder { folder in
            let inner = folder.appendingPathComponent("inner.json")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try write(["no.json": "no JSON"], to: inner)
            try write(["user.json": user, ".hidden.json": "no JSON", "notes.txt": "no JSON", "json": "no"], to: folder)
            #expect(try SchemaRegistry().load(contentsOf: folder).map(\.name) == ["User"])
        }
    }

    @Test func oneFileIsLoadedWhateverItIsCalled() throws {
        try withTemporaryFolder { folder in
            try write([".user": user], to: folder)
            let registry = SchemaRegistry()
            try registry.load(contentsOf: folder.appendingPathComponent(".user"))
            #expect(try registry.schema(named: "User").properties.map(\.key) == ["login"])
        }
    }

    @Test(.threat(.schemaDocuments)) func problemsOfAllFilesAreReportedAndNothingIsRegistered() throws {
        try withTemporaryFolder { folder in
            try write(
                [
                    "a.json": "{\"name\": \"A\",\n \"doc\": 1}", "b.json": "{\"name\": \"B\"",
                    "c.json": #"{"name": "C", "extends": "Nowhere"}"#, "d.json": user,
                ], to: folder)
            let registry = SchemaRegistry()
            // The parent of C may stand in b.json, so nothing is said about it.
            #expect(
                problems { () throws(SchemaError) in try registry.load(contentsOf: folder, classes: [Bound.Issue.self])
                } == [
                    "a.json:2:9: A: doc: expected text but found the number 1",
                    "b.json:1:13: the document is not valid JSON: expected ',' or '}' but the text ended",
                ])
            #expect(registry.schemas.isEmpty)
        }
    }

    @Test func problemsBetweenSchemasAreReportedBesideThoseOfDocuments() throws {
        try withTemporaryFolder { folder in
            try write(
                ["a.json": #"{"name": "A", "doc": 1}"#, "c.json": #"{"name": "C", "extends": "Nowhere"}"#], to: folder)
            #expect(
                problems { () throws(SchemaError) in try SchemaRegistry().load(contentsOf: folder) } == [
                    "a.json:1:22: A: doc: expected text but found the number 1",
                    "c.json:1:26: C: extends Nowhere, which is not registered; register it in the same call",
                ])
        }
    }

    @Test func theSameSchemaTwiceIsTheSameSchema() throws {
        try withTemporaryFolder { folder in
            try write(["a.json": user, "b.json": user], to: folder)
            let registry = SchemaRegistry()
            #expect(try registry.load(contentsOf: folder).count == 1)
            #expect(throws: Never.self) { try registry.load(contentsOf: folder) }
        }
    }

    @Test func aMissingFileAnEmptyFolderAndANetworkAddressAreProblems() throws {
        try withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("missing.json")
            #expect(
                problems { () throws(SchemaError) in try SchemaRegistry().load(contentsOf: missing) }
                    == ["\(missing.path): there is no such file or folder"])
            #expect(
                problems { () throws(SchemaError) in try SchemaRegistry().load(contentsOf: folder) }
                    == ["\(folder.path): the folder holds no .json files"])
        }
        let address = try #require(URL(string: "https://example.org/a.json"))
        #expect(
            problems { () throws(SchemaError) in try SchemaRegistry().load(contentsOf: address) }
                == ["https://example.org/a.json: schemas are loaded from files only"])
    }

    @Test func documentsReferToSchemasThatAreRegistered() throws {
        let registry = try SchemaRegistry.of(ModelSchema("User", ["login": .string]))
        try registry.load(Data(issue.utf8))
        #expect(registry.schemas.map(\.name) == ["User", "Issue"])
    }

    @Test func classesAreBoundOnlyWhenListed() throws {
        let registry = SchemaRegistry()
        try registry.load(Array("[\(issue), \(user)]".utf8), classes: [Bound.User.self])
        #expect(try registry.schema(named: "User").modelClass == Bound.User.self)
        #expect(try registry.schema(named: "Issue").modelClass == nil)
        let model = Bound.User(schema: try registry.schema(for: Bound.User.self), registry: registry)
        #expect(model.login == "nobody")
    }

    @Test func classesAreBoundToTheSchemasThatAreNamedBesideThem() throws {
        let registry = SchemaRegistry()
        let document = Array(user.replacing("\"User\"", with: "\"simple-user\"").utf8)
        try registry.load(document, classes: ["simple-user": Bound.User.self])
        #expect(try registry.schema(for: Bound.User.self).name == "simple-user")
        #expect(
            problems { () throws(SchemaError) in
                try SchemaRegistry().load(document, classes: ["User": Bound.User.self])
            } == ["no loaded document describes the class User; add a schema of this name, or leave the class out"])
    }

    @Test func aClassWithoutDocumentIsAProblem() {
        #expect(
            problems { () throws(SchemaError) in
                try SchemaRegistry().load(Array(user.utf8), classes: [Bound.User.self, Bound.Issue.self])
            } == ["no loaded document describes the class Issue; add a schema of this name, or leave the class out"])
    }

    @Test func twoClassesOfOneNameAreAProblem() {
        #expect(
            problems { () throws(SchemaError) in
                try SchemaRegistry().load(
                    Array(user.utf8), name: "u",
                    classes: [Bound.User.self, Bound.User.self, Elsewhere.User.self, Bound.User.self])
            } == ["u:1:10: User: two classes are called User; register one of them in code, with a name"])
    }

    @Test(arguments: [64, 65]) func aProblemCutsALongNameOfASchema(length: Int) {
        let name = String(repeating: "x", count: length)
        let documents = #"[{"name": "\#(name)"}, {"name": "\#(name)", "doc": "other"}]"#
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().load(Array(documents.utf8)) }
        #expect(error?.problems.map(\.schema) == [length == 64 ? name : name.dropLast() + "…"])
    }

    @Test func classesMustFollowTheSchemas() {
        let documents = #"[{"name": "User"}, {"name": "Issue", "extends": "User"}]"#
        #expect(
            problems { () throws(SchemaError) in
                try SchemaRegistry().load(
                    Array(documents.utf8), name: "x", classes: [Bound.User.self, Bound.Issue.self])
            } == [
                "x:1:49: Issue: extends User, but the class Issue is no subclass of User; bind a subclass of User"
            ])
    }

    @Test func aSchemaThatIsRegisteredOtherwiseIsAProblemWithItsPlace() throws {
        let registry = try SchemaRegistry.of(ModelSchema("User", ["name": .string]))
        #expect(
            problems { () throws(SchemaError) in try registry.load(Array(user.utf8), name: "x.json") } == [
                "x.json:1:10: User: another schema of this name is registered; "
                    + "choose another name, or register the same value"
            ])
        #expect(try registry.schema(named: "User").properties.map(\.key) == ["name"])
    }

    @Test func aByteOrderMarkIsSkippedAndOtherEncodingsAreRefused() throws {
        let registry = SchemaRegistry()
        try registry.load([0xEF, 0xBB, 0xBF] + Array(user.utf8))
        #expect(registry.schemas.count == 1)
        let wide = user.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(
            problems { () throws(SchemaError) in try registry.load(wide, name: "x") }
                == ["x:1:1: the document is not valid JSON: expected UTF-8 but found UTF-16 or UTF-32"])
        #expect(
            problems { () throws(SchemaError) in
                try registry.load(Array("{\"name\": \"".utf8) + [0xC0, 0x80], name: "x")
            }
                == ["x:1:11: the document is not valid JSON: expected valid UTF-8 but found byte 0xC0"])
    }

    @Test(.needs("/proc/self/mem", if: FileManager.default.isReadableFile(atPath: "/proc/self/mem")))
    func aFileThatCanBeOpenedButNotReadIsAProblem() throws {
        try withTemporaryFolder { folder in
            // It can be opened, but there is no memory at the address 0.
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("a.json"), withDestinationURL: URL(fileURLWithPath: "/proc/self/mem"))
            let error = #expect(throws: SchemaError.self) { try SchemaRegistry().load(contentsOf: folder) }
            #expect(error?.problems.count == 1)
            #expect(error?.problems.first?.message.hasPrefix("the file cannot be read: ") == true)
        }
    }
}
