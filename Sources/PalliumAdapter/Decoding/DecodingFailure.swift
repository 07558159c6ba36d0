import PalliumCore
import PalliumJSON

/// An error that ends a decoding call, or a part of one.
enum DecodingFailure: Error {
    /// The text is no JSON, or exceeds a limit.
    case malformed(JSONSyntaxError)
    /// The document does not describe the models, or your code refuses it.
    case problem(ModelError)
    /// The targets of objects must be known, so the document is read once more.
    case startsOver

    /// Sorts an error. The decoder, the reader and the functions that call your code throw these and no others.
    init(_ error: any Error) {
        switch error {
        case let failure as DecodingFailure: self = failure
        case let error as JSONSyntaxError: self = .malformed(error)
        case let error as ModelError: self = .problem(error)
        default: trap("the decoder threw \(error), which is no error of a document")
        }
    }

    /// A problem behind which decoding can go on.
    var collectable: ModelError? {
        guard case .problem(let problem) = self, problem.category != .malformedInput else { return nil }
        return problem
    }
}
