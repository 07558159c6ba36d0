import ModelTestSupport
import Pallium
import Testing

/// A property with rules, and JSON values of it that keep them and that break them.
struct RuleRow: Sendable, CustomTestStringConvertible {
    let property: PropertySchema
    let kept: [String]
    let broken: [String]

    init(_ property: PropertySchema, kept: [String], broken: [String]) {
        self.property = property
        self.kept = kept
        self.broken = broken
    }

    var testDescription: String { "\(property.kind.name) \(property.rules.map(\.description))" }

    /// Decodes every value as the property `p`, through bytes and a tree.
    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let adapter = try Plain.adapter(["p": property]).withoutFoundation
        for text in kept {
            #expect(throws: Never.self, "\(testDescription) keeps \(text)", sourceLocation: sourceLocation) {
                try adapter.model(from: #"{"p": \#(text)}"#)
            }
        }
        for text in broken {
            do throws(ModelError) {
                let model = try adapter.model(from: #"{"p": \#(text)}"#)
                Issue.record(
                    "\(testDescription) is broken by \(text), read as \(model)", sourceLocation: sourceLocation)
            } catch {
                for problem in error.problems {
                    #expect(problem.code == .ruleBroken, "\(text): \(error)", sourceLocation: sourceLocation)
                    #expect(problem.pointer?.tokens.first == "p", "\(text): \(error)", sourceLocation: sourceLocation)
                }
            }
        }
    }
}

/// The number with a JSON text; only for texts that are numbers.
func number(_ text: String) -> JSONNumber {
    guard let number = JSONNumber(text: text) else { preconditionFailure("\(text) is no JSON number") }
    return number
}

/// A JSON string that holds a text.
func quoted(_ text: String) throws -> String { try JSONValue.string(text).text() }

/// The code and the pointer of every problem.
func places(_ error: ModelError?) -> [String] {
    (error?.problems ?? []).map { "\($0.code.rawValue) at \($0.pointer?.description ?? "no place")" }
}

/// The problem that an operation throws; nil when it throws none.
func problem<Value>(_ body: () throws(ModelError) -> Value) -> ModelError? {
    do throws(ModelError) {
        _ = try body()
        return nil
    } catch { return error }
}
