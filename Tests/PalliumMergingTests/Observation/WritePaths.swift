import ModelTestSupport
import Pallium
import Testing

/// A way to write to a model, and what observers hear of it.
struct WritePath: Sendable, CustomTestStringConvertible {
    typealias Step = @Sendable (ObservedScene) throws -> Void

    let testDescription: String
    /// The property of the room that is written.
    var key = "title"
    /// What happens before anybody observes.
    var preparation: Step = { _ in }
    /// One text for each call of an observer of the property.
    let own: [String]
    /// One text for each call of an observer of all properties; as `own` if nil.
    var all: [String]?
    /// One text for each call of an observer of `count`.
    var other: [String] = []
    /// What somebody hears who asks at the end; the only text of `own` if nil.
    var sum: String?
    let write: Step

    init(
        _ name: String, key: String = "title", after preparation: @escaping Step = { _ in }, tells own: [String],
        all: [String]? = nil, other: [String] = [], sum: String? = nil, _ write: @escaping Step
    ) {
        testDescription = name
        self.key = key
        self.preparation = preparation
        self.own = own
        self.all = all
        self.other = other
        self.sum = sum ?? own.first
        self.write = write
    }

    /// A way to write `Green` over `Tea`.
    private static func green(_ name: String, after preparation: @escaping Step = { _ in }, _ write: @escaping Step)
        -> WritePath
    { WritePath(name, after: preparation, tells: [toGreen], write) }

    /// A write of which nobody hears.
    private static func silent(_ name: String, after preparation: @escaping Step = { _ in }, _ write: @escaping Step)
        -> WritePath
    { WritePath(name, after: preparation, tells: [], write) }

    private static let toGreen = #"/title: "Tea" → "Green""#
    private static let twoToThree = "/count: 1 → 3"

    static let all = sets + checks + merges + refusals + edits + imports + transactions

    private static let sets = [
        green("an accessor sets") { $0.room.title = "Green" },
        green("a subscript sets") { $0.room["title"] = "Green" },
        green("setValue") { try $0.room.setValue("Green", forKey: "title") },
        WritePath("an accessor sets null", tells: [#"/title: "Tea" → null"#]) { $0.room.title = nil },
        WritePath("setValue of null", tells: [#"/title: "Tea" → null"#]) {
            try $0.room.setValue(nil, forKey: "title")
        },
        WritePath("unset", tells: [#"/title: "Tea" → nothing"#]) { try $0.room.unset("title") },
        WritePath("unset of a default", key: "count", tells: ["/count: 1 → nothing"], other: ["/count: 1 → nothing"]) {
            try $0.room.unset("count")
        },
        WritePath("a first value", key: "low", tells: ["/low: nothing → 5"]) { $0.room["low"] = 5 },
        silent("an equal value by accessor") { $0.room.title = "Tea" },
        silent("an equal value by subscript") { $0.room["title"] = "Tea" },
        silent("an equal value by setValue") { try $0.room.setValue("Tea", forKey: "title") },
        silent("a value of another kind") { scene in
            #expect(throws: ModelError.self) { try scene.room.setValue(5, forKey: "title") }
        },
        silent("an unknown key") { scene in
            #expect(throws: ModelError.self) { try scene.room.setValue(5, forKey: "titel") }
        },
        silent("null where it is not allowed") { scene in
            #expect(throws: ModelError.self) { try scene.room.setValue(nil, forKey: "count") }
        },
        WritePath("two sets", tells: [toGreen, #"/title: "Green" → "Black""#], sum: #"/title: "Tea" → "Black""#) {
            $0.room.title = "Green"
            $0.room.title = "Black"
        },
        WritePath("two properties", tells: [toGreen], all: [twoToThree, toGreen], other: [twoToThree]) {
            $0.room.count = 3
            $0.room.title = "Green"
        },
        WritePath("a weak reference", key: "friend", tells: ["/friend: nothing → Person (weak)"]) {
            $0.room.friend = $0.room.owner
        },
        WritePath("a transitory property", key: "seen", tells: ["/seen: nothing → 5"]) { $0.room["seen"] = 5 },
    ]

    private static let checks = [
        WritePath(
            "a check that corrects", after: { $0.room.title = " Green " }, tells: [#"/title: " Green " → "Green""#]
        ) {
            try $0.room.validate()
        },
        silent("a check that has nothing to correct") { try $0.room.validate() },
        silent(
            "a check that corrects and fails",
            after: {
                $0.room.title = " Green "
                ($0.room["low"], $0.room["high"]) = (9, 1)
            }
        ) { scene in
            #expect(throws: ModelError.self) { try scene.room.validate() }
            #expect(scene.room.title == " Green ")
        },
    ]

    private static let merges = [
        green("a merge of a model") { scene in
            let other = try ObservedScene.Room(
                values: ["id": 1, "title": "Green", "count": 1, "guests": scene.room.guests], registry: scene.registry)
            try scene.room.merge(from: other)
        },
        green("a merge of one property") { scene in
            let other = try ObservedScene.Room(values: ["id": 1, "title": "Green"], registry: scene.registry)
            try scene.room.merge("title", from: other)
        },
        green("a merge of a document") { try $0.rooms.merge(#"{"title": "Green"}"#, into: $0.room) },
        WritePath(
            "a merge of two properties", tells: [toGreen], all: ["\(toGreen)\n\(twoToThree)"], other: [twoToThree]
        ) { try $0.rooms.merge(#"{"count": 3, "title": "Green"}"#, into: $0.room) },
        green("a merge that a validator corrects") { try $0.rooms.merge(#"{"title": " Green "}"#, into: $0.room) },
        silent("a merge of equal values") {
            try $0.rooms.merge(#"{"count": 1, "title": "Tea", "owner": {"name": "Ada"}}"#, into: $0.room)
        },
        silent("a merge of nothing") { try $0.rooms.merge("{}", into: $0.room) },
        green("JSON Patch") {
            try $0.rooms.apply(JSONPatch([.test(["title"], "Tea"), .replace(["title"], "Green")]), to: $0.room)
        },
        green("JSON Merge Patch") { try $0.rooms.apply(JSONMergePatch(["title": "Green"]), to: $0.room) },
    ]

    private static let refusals =
        [
            ("a rule", #"{"title": "Green", "low": 9, "high": 1}"#),
            ("a validator", #"{"count": 3, "title": "refused"}"#),
            ("a missing member", #"{"title": "Green", "guests": [{"name": "Di"}]}"#), ("a hook", #"{"title": "hook"}"#),
            ("its type", #"{"title": "Green", "guests": 5}"#), ("its syntax", #"{"title": "Green""#),
            ("its identity", #"{"title": "Green", "id": 2}"#),
        ].flatMap { reason, document in
            [
                silent("a merge that is refused for \(reason)") { scene in
                    #expect(throws: ModelError.self) { try scene.rooms.merge(document, into: scene.room) }
                },
                silent("a rebase that is refused for \(reason)", after: { $0.room.trackChanges() }) { scene in
                    #expect(throws: ModelError.self) { try scene.rooms.rebase(scene.room, onto: document) }
                },
            ]
        } + [
            silent("JSON Patch that does not fit") { scene in
                let patch = JSONPatch([.replace(["title"], "Green"), .test(["count"], 7)])
                #expect(throws: ModelError.self) { try scene.rooms.apply(patch, to: scene.room) }
            },
            silent("JSON Merge Patch that is refused") { scene in
                let patch = JSONMergePatch(["count": 3, "title": "refused"])
                #expect(throws: ModelError.self) { try scene.rooms.apply(patch, to: scene.room) }
            },
        ]

    private static let tracked: Step = { scene in
        scene.room.trackChanges()
        scene.room.count = 5
    }

    private static let edits = [
        green("a rebase onto a model", after: tracked) { scene in
            let other = try scene.rooms.model(from: #"{"id": 1, "title": "Green", "count": 2}"#)
            try scene.room.rebase(onto: other)
            #expect(scene.room.count == 5)
        },
        green("a rebase onto a document", after: tracked) {
            try $0.rooms.rebase($0.room, onto: #"{"title": "Green", "count": 2}"#)
        },
        WritePath(
            "a revert",
            after: {
                $0.room.trackChanges()
                $0.room.title = "Green"
            }, tells: [#"/title: "Green" → "Tea""#]
        ) { $0.room.revert() },
        silent("a revert of nothing", after: { $0.room.trackChanges() }) { $0.room.revert() },
        silent("tracking") {
            $0.room.trackChanges()
            $0.room.stopTrackingChanges()
        },
    ]

    private static let imports = [
        green("an import of an instance") { try load(#"{"id": 1, "title": "Green"}"#, $0) },
        WritePath(
            "an import of several instances", tells: [toGreen], all: ["\(toGreen)\n\(twoToThree)"], other: [twoToThree]
        ) { try load(#"[{"id": 1, "title": "Green"}, {"id": 2}, {"id": 1, "count": 3}]"#, $0) },
        WritePath(
            "an import without a broken element", tells: [toGreen], all: ["\(toGreen)\n\(twoToThree)"],
            other: [twoToThree]
        ) {
            try load(
                """
                [{"id": 1, "title": "Green"}, {"title": "x"}, {"id": 1, "title": "refused"}, {"id": 1, "count": 3},
                 {"id": 3, "guests": [{"name": "Di"}]}]
                """, $0, .skip)
        },
        silent("an import that is refused") { scene in
            #expect(throws: ModelError.self) { try load(#"[{"id": 1, "title": "Green"}, {"title": "x"}]"#, scene) }
        },
        silent("an import of another instance") { try load(#"{"id": 2, "title": "Green"}"#, $0) },
    ]

    private static func load(
        _ document: String, _ scene: ObservedScene, _ elements: JSONAdapterOptions.ElementPolicy = .fail
    ) throws {
        _ = try scene.map.import(document, using: scene.rooms.with { $0.elements = elements })
    }

    private static let transactions = [
        WritePath(
            "a transaction", tells: [toGreen], all: ["\(toGreen)\n\(twoToThree)"], other: [twoToThree]
        ) { scene in
            scene.room.transaction {
                scene.room.title = "Black"
                scene.room.count = 3
                scene.room.title = "Green"
            }
        },
        silent("a transaction that sets back") { scene in
            scene.room.transaction {
                scene.room.title = "Black"
                scene.room.title = "Tea"
            }
        },
        silent("a transaction that throws") { scene in
            #expect(throws: FixtureError.self) {
                try scene.room.transaction {
                    scene.room.title = "Green"
                    throw FixtureError.refused
                }
            }
        },
        green("a transaction in another") { scene in
            scene.room.transaction {
                scene.room.title = "Black"
                scene.house.transaction { scene.room.title = "Green" }
            }
        },
        green("a transaction whose inner one throws") { scene in
            scene.room.transaction {
                scene.room.title = "Green"
                #expect(throws: FixtureError.self) {
                    try scene.room.transaction {
                        scene.room.title = "Black"
                        scene.room.count = 3
                        throw FixtureError.refused
                    }
                }
                #expect(scene.room.title == "Green" && scene.room.count == 1)
            }
        },
        silent("a transaction that throws after an inner one") { scene in
            #expect(throws: FixtureError.self) {
                try scene.room.transaction {
                    scene.room.transaction { scene.room.title = "Green" }
                    throw FixtureError.refused
                }
            }
        },
        green("a transaction with a merge that is refused") { scene in
            scene.room.transaction {
                scene.room.title = "Green"
                #expect(throws: ModelError.self) {
                    try scene.rooms.merge(#"{"count": 3, "title": "refused"}"#, into: scene.room)
                }
            }
        },
        green("a transaction of another model") { scene in scene.house.transaction { scene.room.title = "Green" } },
    ]
}
