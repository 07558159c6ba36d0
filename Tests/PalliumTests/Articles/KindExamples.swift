import Foundation
import Pallium

// The examples of the articles about custom kinds, clusters and models made in code, word for word, like those in
// `ArticleExamples.swift`.

enum KindExamples {
    struct Point: Hashable, Sendable, PropertyValue {
        let x: Int
        let y: Int
    }

    struct NotAPoint: Error {}

    final class Place: DynamicModel {
        var location: Point { value() }
    }

    static func customKinds(_ registry: SchemaRegistry) throws -> String {
        let point = Transformer(from: String.self, to: Point.self) { text, _ in
            let parts = text.split(separator: ",").compactMap { Int($0) }
            guard parts.count == 2 else { throw NotAPoint() }
            return Point(x: parts[0], y: parts[1])
        } reverse: { point, _ in
            "\(point.x),\(point.y)"
        }
        try registry.transformers.register(point, as: "Point")
        try registry.register(ModelSchema(Place.self, ["location": .custom(Point.self, transformer: "Point").required]))
        let place = try JSONAdapter(Place.self, registry: registry).model(from: #"{"location": "3,4"}"#)
        let distance = place.location.x * place.location.x + place.location.y * place.location.y  // 25

        try registry.register(CustomKind(Point.self, transformer: "Point"))
        let document = #"{"name": "Route", "properties": {"stops": {"kind": "array", "of": {"kind": "Point"}}}}"#
        try registry.load(Data(document.utf8))

        let route = try JSONAdapter(schema: registry.schema(named: "Route"), registry: registry)
            .model(from: #"{"stops": ["1,2", "3,4"]}"#)
        return "\(distance) \(route["stops", as: [Point].self]?.count ?? 0)"
    }

    class Animal: DynamicModel {
        var name: String? { value() }
    }

    final class Dog: Animal {
        var tricks: [String]? { value() }
    }

    static func clusters(_ registry: SchemaRegistry) throws -> [String] {
        try registry.register(
            ModelSchema(
                Animal.self, ["name": .string],
                cluster: .discriminator("type", ["dog": .modelClass(Dog.self)], default: .modelClass(Animal.self))),
            ModelSchema(Dog.self, ["tricks": .array(of: .string)], extends: .modelClass(Animal.self)))
        let animals = try JSONAdapter(Animal.self, registry: registry)
            .models(from: #"[{"type": "dog", "name": "Rex", "tricks": ["roll over"]}, {"name": "Nemo"}]"#)
        let tricks = animals.compactMap { ($0 as? Dog)?.tricks }  // [["roll over"]]

        let attachment = ModelSchema(
            "Attachment", ["name": .string],
            cluster: .rules(
                [
                    ModelCluster.Rule([.present("width"), .present("height")], "Picture"),
                    ModelCluster.Rule([.equals("type", "note"), .kind("text", .string)], "Note"),
                ], default: "Attachment"))
        let picture = ModelSchema("Picture", ["width": .integer, "height": .integer], extends: "Attachment")
        let note = ModelSchema("Note", ["type": .string, "text": .string], extends: "Attachment")

        let payment = ModelSchema(
            "Payment", ["amount": .double.required],
            cluster: .resolver { object in (object["amount"]?.doubleValue ?? 0) < 0 ? "Refund" : "Payment" })
        let refund = ModelSchema("Refund", ["reason": .string], extends: "Payment")

        try registry.register(attachment, picture, note, payment, refund)
        let attachments = try JSONAdapter(schema: attachment, registry: registry)
            .models(from: #"[{"width": 1, "height": 2}, {"type": "note", "text": "a"}, {"width": 1}]"#)
        let payments = try JSONAdapter(schema: payment, registry: registry)
            .models(from: #"[{"amount": -1, "reason": "broken"}, {"amount": 1}]"#)
        return ["\(tricks)"] + (attachments + payments).map(\.schema.name)
    }

    final class Draft: DynamicModel {
        var title: String {
            get { value() }
            set { set(newValue) }
        }
        var stars: Int { value() }
        var openedAt: Date? { value() }

        convenience init(title: String) throws(ModelError) {
            try self.init(values: ["title": title, "openedAt": Date()])
        }

        override func didDecode() { print("decoded \(title)") }
    }

    nonisolated(unsafe) static var printed: [String] = []
    static func print(_ text: String) { printed.append(text) }

    static func makingModels() throws -> String {
        try SchemaRegistry.shared.register(
            ModelSchema(Draft.self, ["title": .string.required, "stars": .integer.default(1), "openedAt": .date.local]))

        let draft = try Draft(values: ["title": "Crash", "stars": 5])
        let today = try Draft(title: "Crash on launch")
        let blank = Draft()  // the defaults, and everything else unset
        blank.title = "Later"

        return "\(draft.stars) \(today.stars) \(today.openedAt != nil) \(blank.title)"
    }
}
