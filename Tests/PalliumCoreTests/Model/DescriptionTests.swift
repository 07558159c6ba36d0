import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Descriptions")
struct DescriptionTests {
    @Test(.row("C067"))
    func aDescriptionIsOneLineOfPermanentProperties() throws {
        let model = try SchemaRegistry.plainModel([
            "text": .string, "flag": .bool, "date": .date, "color": .enumeration(Color.self), "data": .data,
            "none": .string, "null": .string, "hidden": .string.storage(.transitory), "link": .url,
            "list": .array(of: .integer),
            "map": .dictionary(of: .integer), "empty": .dictionary(of: .integer),
        ])
        let values: [String: (any PropertyValue)?] = [
            "text": "a\n\"b\"", "flag": true, "date": Date(timeIntervalSinceReferenceDate: 0), "color": Color.red,
            "data": Data([1, 2]), "null": nil, "hidden": "x", "link": URL(string: "http://a/b"),
            "list": [1, 2, 3, 4, 5, 6],
            "map": ["k": 1], "empty": [:] as [String: Int],
        ]
        for (key, value) in values { try model.setValue(value, forKey: key) }
        #expect(
            model.description
                == #"Plain(text: "a\n"b"", flag: true, date: 2001-01-01T00:00:00Z, color: red, data: 2 bytes, "#
                + #"null: null, link: http://a/b, list: [1, 2, 3, 4, … (6 in all)], map: ["k": 1], empty: [:])"#)
    }

    @Test(.row("C067"))
    func aDescriptionIsBounded() throws {
        let model = try SchemaRegistry.plainModel(["text": .string, "json": .jsonValue, "list": .array(of: .string)])
        let long = String(repeating: "x", count: 100_000)
        try model.setValue(long, forKey: "text")
        try model.setValue(JSONValue.string(long), forKey: "json")
        try model.setValue(Array(repeating: long, count: 1000), forKey: "list")
        #expect(model.description.utf8.count < 1000)
        #expect(model.debugDescription.utf8.count < 200_000)
    }

    @Test(.threat(.secretsInErrors)) func secretsAreMaskedEverywhere() throws {
        let model = try SchemaRegistry.plainModel([
            "password": .string.secret, "pins": .array(of: .integer).secret, "token": .jsonValue.secret,
        ])
        try model.setValue("hunter2", forKey: "password")
        try model.setValue([12345], forKey: "pins")
        try model.setValue(JSONValue.string("hunter2"), forKey: "token")
        var dumped = ""
        dump(model, to: &dumped)
        for text in [
            model.description, model.debugDescription, dumped, "\(Mirror(reflecting: model).children.map(\.value))",
        ] {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("12345"))
            #expect(text.contains("•••"))
        }
        #expect(model.description == "Plain(password: •••, pins: •••, token: •••)")
    }

    @Test(.threat(.cycles), .row("C068"))
    func aDebugDescriptionIsATreeThatMarksCycles() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let root = registry.node(1)
        defer { root.breakRing() }
        let child = registry.node(2)
        child.next = root
        root.next = child
        root.children = [registry.node(3)]
        #expect(
            root.debugDescription == """
                Node
                  label: 1
                  next: Node
                    label: 2
                    next: Node(↻ cycle)
                  children: [
                    Node
                      label: 3
                      next: null]
                """)
        #expect(EmptyModel(registry: registry).debugDescription == "EmptyModel (empty)")
    }

    @Test func theTreeMarksDefaultedValues() throws {
        let model = TestModel(registry: try .ofFixtures())
        let slot = model.slot(at: 1)
        slot.slotState = slot.slotState.asDefaulted
        #expect(model.debugDescription == "TestModel\n  count: 1  (default)")
    }

    @Test(.row("C060", "C068"))
    func aTreeOfSharedModelsDoesNotGrowWithItsPaths() throws {
        let registry = try SchemaRegistry.ofFixtures()
        var level = registry.node(0)
        for label in 1..<40 {
            let above = registry.node(label, next: level)
            above.children = [level, level]
            level = above
        }
        #expect(level.description.utf8.count < 2000)
        #expect(level.debugDescription.utf8.count < 300_000)
        let nodes = (0..<30).map { registry.node($0) }
        for node in nodes { node.children = nodes }
        defer { for node in nodes { node.children = nil } }
        #expect(nodes[0].debugDescription.utf8.count < 300_000)
    }

    @Test func theMirrorShowsPermanentPropertiesByKey() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let node = registry.node(1, next: registry.node(2))
        let mirror = Mirror(reflecting: node)
        #expect(mirror.displayStyle == .class)
        #expect(mirror.children.map(\.label) == ["label", "next"])
        #expect(mirror.descendant("label") as? Int == 1)
        #expect((mirror.descendant("next") as? Node)?.label == 2)
    }

    @Test func theMirrorShowsNullAsNil() throws {
        let node = try SchemaRegistry.ofFixtures().node(1)
        node.next = nil
        let children = Mirror(reflecting: node).children.map { ($0.label, "\($0.value)") }
        #expect(children.map(\.0) == ["label", "next"])
        #expect(children.map(\.1) == ["1", "nil"])
    }

    @Test func aTextThatIsFullEndsWithinAModel() throws {
        let long = String(repeating: "x", count: 1000)
        let registry = SchemaRegistry()
        let properties = (0..<200).map { ModelSchema.Property("p\($0)", .string) }
        try registry.register(ModelSchema.named("Wide", properties: properties))
        let model = DynamicModel(schema: try registry.schema(named: "Wide"), registry: registry)
        for property in properties { try model.setValue(long, forKey: property.key) }
        #expect(model.debugDescription.hasSuffix(" …"))
        #expect((100_000..<102_000).contains(model.debugDescription.utf8.count))
    }

    @Test(.threat(.secretsInErrors)) func controlCharactersDoNotReachALog() throws {
        let model = try SchemaRegistry.plainModel(["text": .string, "map": .dictionary(of: .bool)])
        try model.setValue("\u{1B}[31m\u{202E}\u{0}", forKey: "text")
        try model.setValue(["\u{7}\r\n": true], forKey: "map")
        for text in [model.description, model.debugDescription] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
        }
        #expect(!model.description.contains("\n"))
    }
}
