// Literals of schemas: what may be left for the compiler to find out, and mistakes, which it must find where they are.
import Pallium

enum State: String, PropertyEnumeration { case open, closed }
class Product: DynamicModel {}
final class Book: Product {}

let empty = ModelSchema(
    Book.self,
    [
        "tags": .array(of: .string).default([]), "set": .set(of: .integer).default([]),
        "state": .enumeration(State.self, default: .open), "table": .dictionary(of: .string).default([:]), "states": .array(of: .enumeration(State.self)).default([State.open]),
    ], extends: Product.self, version: 2)
let named = ModelSchema(Book.self, ["a": .string], extends: "Product")
let wide = PropertySchema.integer(as: Int128.self)  // expected-error {{requires that 'Int128' conform to 'PropertyValue'}}

let misspelled = ModelSchema(
    Book.self, ["a": .integer.default(0), "b": .strng, "c": .bool])  // expected-error {{has no member 'strng'}}

// Short forms, as programs outside of the package write them.
let forms = ModelSchema(
    Product.self,
    [
        "state": .enumeration("open", "closed", unknown: .fallback("open")), "paidAt": .date.transformer(.unixSeconds),
        "home": .url.transformer(.emptyTextAsNull, .url), "port": .integer.transformer(.validating(Int.self) { $0 > 0 }),
    ], cluster: .discriminator("kind", ["book": Book.self]))
func skipping(_ adapter: JSONAdapter<Book>) -> JSONAdapter<Book> { adapter.with { $0.elements = .skip } }

// A code may be added without breaking programs.
func isBroken(_ category: ModelError.Category) -> Bool {
    switch category {  // expected-error {{may have additional unknown values}} expected-note {{@unknown default}}
    case .malformedInput: true
    case .unexpectedData, .refusedByProgram, .misuse, .systemFailure: false
    }
}
