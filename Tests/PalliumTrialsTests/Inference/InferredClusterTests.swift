import Pallium
import Testing

/// Which models become clusters.
struct InferredClusterTests {
    private func shapes(_ objects: String...) throws -> [ModelSchema] {
        try expectTheLaw("[\(objects.joined(separator: ","))]")
    }

    private static let circle = #"{"type": "circle", "radius": 1}"#
    private static let square = #"{"type": "square", "side": 2, "turned": true}"#
    private static let dot = #"{"type": "dot"}"#

    @Test func aTypeThatExplainsTheMembersMakesACluster() throws {
        let schemas = try shapes(Self.circle, Self.square, Self.circle, Self.square, Self.dot, Self.dot)
        #expect(schemas.map(\.name) == ["Root", "Circle", "Square"])
        #expect(
            schemas[0].cluster
                == .discriminator(
                    "type", ["circle": "Circle", "square": "Square", "dot": "Root"], default: "Root"))
        #expect(schemas.map { $0.properties.map(\.key) } == [["type"], ["radius"], ["side", "turned"]])
        #expect(schemas.map(\.parent) == [nil, "Root", "Root"])
        #expect(schemas.allSatisfy { $0.properties.allSatisfy { $0.schema.isRequired } })
        #expect(schemas[1].documentation == "Inferred from 2 objects.")
    }

    @Test func theTypeMayDecideAboutTheModelInAMember() throws {
        func event(_ type: String, _ payload: String) -> String { #"{"type": "\#(type)", "payload": \#(payload)}"# }
        let push = event("push_event", #"{"size": 1, "head": "a", "commits": [{"sha": "b"}]}"#)
        let watch = event("watch_event", #"{"action": "a"}"#)
        let bare = event("bare_event", "{}")
        let schemas = try shapes(push, watch, push, watch, bare, bare)
        #expect(
            schemas.map(\.name) == [
                "Root", "PushEvent", "PushEventPayload", "WatchEvent", "WatchEventPayload", "BareEvent",
                "BareEventPayload", "Commit",
            ])
        #expect(schemas[0].properties.map(\.key) == ["type"])
        #expect(schemas[1].property("payload") == .model("PushEventPayload").required)
        #expect(schemas[2].properties.map(\.key) == ["size", "head", "commits"])
        #expect(schemas[6].properties.isEmpty)
    }

    @Test func aMemberThatSomeObjectsOfATypeHaveStaysOptional() throws {
        let labelled = #"{"type": "circle", "radius": 1, "label": "a"}"#
        let schemas = try shapes(Self.circle, labelled, Self.square, Self.square)
        #expect(schemas.map(\.name) == ["Root", "Circle", "Square"])
        #expect(schemas[0].property("label") == .string)
    }

    @Test func withoutClearEvidenceThereIsNoCluster() throws {
        // One object of each type proves nothing, and neither does one member.
        #expect(try shapes(Self.circle, Self.square).count == 1)
        #expect(try shapes(Self.circle, Self.circle, Self.dot, Self.dot).count == 1)
        // The same members.
        #expect(try shapes(Self.circle, Self.circle, #"{"type": "ring", "radius": 2}"#).count == 1)
        // A type that is missing, null or no text.
        let shapes = [Self.circle, Self.square, Self.circle, Self.square]
        for other in [#"{"radius": 1}"#, #"{"type": null}"#, #"{"type": 1}"#] {
            #expect(try expectTheLaw("[\((shapes + [other]).joined(separator: ","))]").count == 1)
        }
        // More members that it does not explain.
        let random = (0..<8).map { #"{"type": "\#($0 % 2)", "a\#($0 % 2)": 1, "b\#($0 % 2)": 1, "c\#($0 % 8)": 1}"# }
        #expect(try expectTheLaw("[\(random.joined(separator: ","))]").count == 1)
        // Too many types.
        let many = (0..<130).map { #"{"type": "t\#($0 / 2)", "a\#($0 / 2)": 1, "b\#($0 / 2)": 1}"# }
        #expect(try expectTheLaw("[\(many.joined(separator: ","))]").count == 1)
        #expect(try expectTheLaw("[\(many.dropLast(2).joined(separator: ","))]").count == 65)
    }

    @Test func theTypeMayBeAnInteger() throws {
        let objects = [#"{"ty": 4, "radius": 1, "at": 2}"#, #"{"ty": -1, "side": 2, "turned": true}"#, #"{"ty": 5.0}"#]
        let schemas = try expectTheLaw("[\((objects + objects).joined(separator: ","))]")
        #expect(schemas.map(\.name) == ["Root", "Root4", "RootMinus1"])
        #expect(schemas[0].cluster == .discriminator("ty", [4: "Root4", -1: "RootMinus1", 5: "Root"], default: "Root"))
        #expect(schemas.map { $0.properties.map(\.key) } == [["ty"], ["radius", "at"], ["side", "turned"]])
        // Fractions are no types, and a text is preferred.
        let fractions = #"{"ty": 1.5, "a": 1, "b": 1}, {"ty": 2.5, "c": 1, "d": 1}"#
        #expect(try expectTheLaw("[\(fractions), \(fractions)]").count == 1)
        let both = #"{"type": 1, "kind": "k", "a": 1, "b": 1}, {"type": 1, "kind": "l", "c": 1, "d": 1}"#
        #expect(try expectTheLaw("[\(both), \(both)]").map(\.name) == ["Root", "K", "L"])
    }

    @Test func theFirstMemberThatMayTellTypesCounts() throws {
        let objects = (0..<4).map { #"{"kind": "k\#($0 % 2)", "a\#($0 % 2)": 1, "b\#($0 % 2)": 1}"# }
        let schemas = try expectTheLaw("[\(objects.joined(separator: ","))]")
        #expect(schemas.map(\.name) == ["Root", "K0", "K1"])
    }
}
