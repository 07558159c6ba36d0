import Foundation
import Pallium

/// Mistakes of a program, each in a process of its own, which must end with the message that tells the mend. Optimised
/// builds drop the messages of Swift's preconditions, so this is for release builds.
enum TrapCheck {
    private final class Noted: DynamicModel {
        enum Color: String, PropertyEnumeration { case red }

        var title: String { value() }
        var text: String? {
            get { value() }
            set { set(newValue, "number") }
        }
        var titel: String? { value() }
        var number: String { value() }
        var color: Color { value() }
        var count: Int {
            get { value() }
            set { set(newValue) }
        }
        var small: Int {
            get { value() }
            set { set(newValue) }
        }
    }

    private final class Unknown: DynamicModel {}

    private static let schema = ModelSchema(
        Noted.self,
        [
            "title": .string, "number": .integer, "count": .integer.required, "small": .integer(as: Int8.self).required,
            "color": .enumeration(EnumerationSchema(cases: [.init(.text("red")), .init(.text("mauve"))])).required,
        ])

    /// A mistake, what it says on standard error, and how it is made.
    private struct Mistake: Sendable {
        let name: String
        let message: String
        let make: @Sendable (SchemaRegistry) throws -> Void
    }

    private static let mistakes: [Mistake] = [
        Mistake(
            name: "nullable",
            message: "Noted.title: is nullable, so its accessor must be optional; declare String? instead"
        ) { _ = Noted(registry: $0).title },
        Mistake(name: "key", message: "Noted.titel: is no property of the schema; did you mean \"title\"?") {
            _ = Noted(registry: $0).titel
        },
        Mistake(
            name: "type", message: "Noted.number: holds an integer, which an accessor of the type String cannot read"
        ) { _ = Noted(registry: $0).number },
        Mistake(
            name: "setter",
            message: "Noted.number: holds an integer, which an accessor of the type Optional<String> cannot"
        ) { Noted(registry: $0).text = "" },
        Mistake(name: "case", message: "Noted.color: has the case \"mauve\", which Color lacks; declare Color? instead")
        {
            _ = Noted(registry: $0).color
        },
        Mistake(name: "unset", message: "Noted.count is read through a non-optional accessor but was never set") {
            _ = Noted(registry: $0).count
        },
        Mistake(name: "range", message: "expected an integer of 8 bits but found 300 at /small") {
            Noted(registry: $0).small = 300
        },
        Mistake(name: "subscript", message: "expected a key of Noted but found \"titel\"; did you mean \"title\"?") {
            _ = Noted(registry: $0)["titel"]
        },
        Mistake(name: "typed subscript", message: "Noted.title holds a string, not Int") {
            _ = Noted(registry: $0)["title", as: Int.self]
        },
        Mistake(name: "unknown typed subscript", message: "expected a key of Noted but found \"titel\"") {
            _ = Noted(registry: $0)["titel", as: Int.self]
        },
        Mistake(name: "set subscript", message: "expected a string but found a value of the type Int at /title") {
            Noted(registry: $0)["title"] = 5
        },
        Mistake(name: "class", message: "no schema is registered for the class Unknown; register one before the first")
        {
            _ = Unknown(registry: $0)
        },
        Mistake(name: "schema", message: "the schema Nowhere is not registered; register it before making models") {
            _ = DynamicModel(schema: ModelSchema("Nowhere", [:]), registry: $0)
        },
        Mistake(name: "other class", message: "the schema Noted describes the class Noted, not Unknown") {
            _ = Unknown(schema: schema, registry: $0)
        },
        Mistake(
            name: "adapter", message: "no schema is registered for the class Unknown; register one before making an"
        ) {
            _ = JSONAdapter(Unknown.self, registry: $0)
        },
        Mistake(
            name: "profile",
            message: "expected the name of a profile of the schema or of one that it refers to but found \"v2\""
        ) {
            _ = JSONAdapter(Noted.self, profile: "v2", registry: $0)
        },
    ]

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        if let name = arguments.operands.first { return try make(name) }
        for mistake in mistakes {
            let process = Process()
            let errors = Pipe()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [Mode.traps.rawValue, mistake.name]
            // Nobody needs to see where in this program a mistake was made.
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            tally.check(process.terminationReason == .uncaughtSignal, "\(mistake.name): the program goes on")
            tally.check(
                text.contains("Fatal error: ") && text.contains(mistake.message), "\(mistake.name): it says \(text)")
        }
    }

    private static func make(_ name: String) throws {
        guard let mistake = mistakes.first(where: { $0.name == name }) else {
            throw Arguments.Mistake(description: "there is no mistake called \(name)")
        }
        let registry = SchemaRegistry()
        try registry.register(schema)
        try mistake.make(registry)
    }
}
