public import PalliumCore
import PalliumJSON

// Encodes errors, for example as the body of a response.
extension ModelError: Encodable {
    /// Writes the error as the object that `pallium decode --errors json` prints.
    ///
    /// Its members are `code`, `category`, `schema`, `property`, `pointer`, `line`, `column`, `offset`, `expected`,
    /// `found`, `parameters` and `message`; those that do not apply are null. An error that contains several has `problems`,
    /// too.
    ///
    ///     catch { return Response(status: 422, body: try JSONEncoder().encode(error)) }
    ///
    /// - Throws: What the coder throws.
    public func encode(to encoder: any Encoder) throws { try JSONValue.object(members).encode(to: encoder) }
}

extension SchemaError: Encodable {
    /// Writes the error as an object with its `message` and the list of `problems`, each with `schema`, `property`,
    /// `message`, `fix` and `source`; those that do not apply are null.
    ///
    /// - Throws: What the coder throws.
    public func encode(to encoder: any Encoder) throws { try JSONValue.object(members).encode(to: encoder) }
}
