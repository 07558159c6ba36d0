import Foundation
import Pallium

// The Swift examples of the article about merging, word for word; `ArticleTests` runs them and compares the texts.

struct MergingExamples {
    private(set) var lines: [String] = []

    private mutating func print(_ value: Any) { lines.append("\(value)") }

    static func schemas() throws -> [ModelSchema] {
        let user = ModelSchema(
            "User", ["id": .integer.required, "login": .string],
            identity: ["id"])
        let issue = ModelSchema(
            "Issue",
            [
                "id": .integer.required, "title": .string, "updated": .date,
                "body": .string.merge(.newest(by: "updated")),
                "votes": .integer.merge(.max),
                "labels": .set(of: .string).merge(.union),
                "author": .model("User").merge(.recurse),
                "reviewers": .array(of: .model("User"))
                    .merge(.byIdentifier(missing: .remove)),
                "visits": .integer.merge(MergePolicy("sum")),
            ],
            identity: ["id"])
        return [user, issue]
    }

    static func animals() -> [ModelSchema] {
        let animal = ModelSchema(
            "Animal", ["name": .string],
            cluster: .discriminator(
                "kind", ["dog": "Dog"], default: "Animal"))
        let dog = ModelSchema("Dog", ["bark": .integer], extends: "Animal")
        let zoo = ModelSchema(
            "Zoo", ["star": .model("Animal").merge(.recurse)])
        return [animal, dog, zoo]
    }

    static func registerMerger(_ mergers: MergerRegistry) throws {
        let sum = Merger(Int.self) { values in
            (values.target ?? 0) + (values.source ?? 0) - (values.base ?? 0)
        }
        try mergers.register(sum, as: "sum")

        let reviewed = Merger(String.self) { values in
            let source = values.sourceModel
            let mayTake = source?["reviewed", as: Bool.self] ?? false
            return mayTake ? values.source : values.target
        }
        try mergers.register(reviewed, as: "reviewed")
    }

    static func registerDeepMerger(_ mergers: MergerRegistry) throws {
        let deep = Merger(JSONValue.self) { values in
            guard let source = values.source else { return nil }
            return JSONMergePatch(source).applied(to: values.target ?? [:])
        }
        try mergers.register(deep, as: "deep")
    }

    mutating func merge(_ adapter: JSONAdapter<DynamicModel>, _ issue: DynamicModel) throws {
        let document = """
            {"title": "Crash on launch", "votes": 3,
             "author": {"login": "grace"}}
            """
        let changes = try adapter.merge(document, into: issue)
        for change in changes { print(change) }
        // /title: "Crash" → "Crash on launch" (taken)
        for change in changes.kept { print(change) }  // /votes: 5 → 3 (kept)
    }

    mutating func track(_ adapter: JSONAdapter<DynamicModel>, _ issue: DynamicModel) throws {
        issue.trackChanges()
        issue["title"] = "Crash at start"
        print(issue.changedKeys)  // ["title"]
        let body = try adapter.mergePatch(for: issue)
        // {"title":"Crash at start"}
        let operations = try adapter.jsonPatch(for: issue)
        // [{"op":"replace","path":"/title","value":"Crash at start"}]

        print(body.jsonValue)
        print(operations.jsonValue)
    }

    mutating func rebase(
        _ adapter: JSONAdapter<DynamicModel>, _ issue: DynamicModel, onto fetched: Data
    ) throws {
        let changes = try adapter.rebase(issue, onto: fetched)
        for conflict in changes.conflicts { print(conflict) }
        // /title: "Crash at start" → "Crash!" (kept, conflict)
        let body = try adapter.jsonPatch(for: issue)  // the edits that remain

        print(body.operations.count)
    }

    mutating func patch(_ document: JSONValue) throws {
        let patch = try JSONPatch(
            parsing: #"[{"op": "add", "path": "/labels/-", "value": "bug"}]"#)
        let changed = try patch.applied(to: document)
        let back = JSONPatch(from: changed, to: document)
        print(back.jsonValue)  // [{"op":"remove","path":"/labels/1"}]
        let closed = JSONMergePatch(["state": "closed", "assignee": nil])
            .applied(to: document)

        print(closed)
    }

    mutating func edit(_ adapter: JSONAdapter<DynamicModel>) throws {
        let text = """
            {
              "theme" : "dark",   "zoom": 1.50,
              "recent": ["a.txt", "b.txt"],
              "comment": "mine"
            }
            """
        let settings = try adapter.model(from: text)
        settings["theme"] = "light"
        settings["recent"] = ["b.txt", "c.txt"]
        settings["font"] = "Inter"
        let edited = try adapter.data(
            from: settings, editing: Data(text.utf8))

        print(String(decoding: edited, as: UTF8.self))
    }

    mutating func editComments(_ adapter: JSONAdapter<DynamicModel>) throws {
        let text = """
            {
              // Set by the installer.
              "theme": "dark", // or "light"
              "recent": [],
            }
            """
        let handwritten = adapter.with {
            $0.reading.comments = .accept
        }
        let settings = try handwritten.model(from: text)
        settings["theme"] = "light"
        settings["font"] = "Inter"
        let edited = try handwritten.data(
            from: settings, editing: Data(text.utf8))

        print(String(decoding: edited, as: UTF8.self))
    }

    mutating func apply(_ adapter: JSONAdapter<DynamicModel>, _ issue: DynamicModel) throws {
        let patch = JSONPatch([.test(["votes"], 5), .replace(["votes"], 4)])
        let changes = try adapter.apply(patch, to: issue)

        for change in changes { print(change) }
    }
}
