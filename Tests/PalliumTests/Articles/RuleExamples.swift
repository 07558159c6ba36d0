import Pallium

// The Swift examples of the article about rules, word for word, like those in `ArticleExamples.swift`.

enum RuleExamples {
    static func ticket() -> ModelSchema {
        let ticket = ModelSchema(
            "Ticket",
            [
                "number": .integer.required.rules(.minimum(1)),
                "title": .string.rules(.minLength(1), .maxLength(80)),
                "state": .enumeration("open", "closed"),
                "price": .decimal.rules(.multipleOf(0.05)),
                "tags": .array(of: .string.rules(.pattern("^[a-z]+$")))
                    .rules(.maxCount(10), .unique),
                "mail": .string.rules(.format("email")),
                "openedAt": .date,
                "closedAt": .date,
            ]
        ).rules(
            .required(["closedAt"], when: ["state": "closed"]),
            .notAfter("openedAt", "closedAt"))
        return ticket
    }

    static func formats(_ registry: SchemaRegistry) throws {
        try registry.formats.register("colour") { text in
            text.utf8.count == 7 && text.hasPrefix("#")
        }
        try registry.register(
            ModelSchema(
                "Label",
                ["color": .string.required.rules(.format("colour"))]))
    }
}
