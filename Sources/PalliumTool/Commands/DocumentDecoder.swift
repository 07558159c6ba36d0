import Pallium

/// Decodes documents, arrays as well as single models.
struct DocumentDecoder {
    let adapter: JSONAdapter<DynamicModel>
    /// Whether to find every problem, or to stop at the first.
    let isCollecting: Bool
    /// Whether the bytes of documents are kept.
    var keepsTexts = false

    /// Decodes a whole document.
    func decode(_ bytes: [UInt8], file: String) -> Decoded {
        var decoded = decodeModels(bytes, file: file)
        if keepsTexts { decoded.text = bytes }
        return decoded
    }

    private func decodeModels(_ bytes: [UInt8], file: String) -> Decoded {
        if isCollecting { return decoded(adapter.report(from: bytes), file: file) }
        do throws(ModelError) {
            return Self.isArray(bytes)
                ? Decoded(models: try adapter.models(from: bytes), isArray: true, file: file)
                : Decoded(models: [try adapter.model(from: bytes)], file: file)
        } catch {
            return Decoded(problems: error.problems, file: file)
        }
    }

    /// Converts a report, with all problems or the first one.
    func decoded(
        _ report: DecodingReport<DynamicModel>, file: String, element: Decoded.Element? = nil
    ) -> Decoded {
        var decoded = Decoded(file: file, location: report.location, element: element)
        if isCollecting || report.problems.isEmpty {
            decoded.models = report.models
            decoded.isArray = report.isArray
            decoded.problems = report.problems
        } else {
            decoded.problems = Array(report.problems.prefix(1))
        }
        return decoded
    }

    /// Whether a text begins as an array; it may still be malformed.
    static func isArray(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        // White space of JSON: RFC 8259 §2.
        return rest.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } == UInt8(ascii: "[")
    }
}
