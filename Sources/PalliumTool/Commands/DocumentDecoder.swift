import Pallium

/// Decodes whole documents, arrays as well as single models.
struct DocumentDecoder {
    /// What a document gave.
    struct Result {
        var models: [DynamicModel] = []
        var isArray = false
        var problems: [ModelError] = []
    }

    let adapter: JSONAdapter<DynamicModel>
    /// Whether to find every problem, or to stop at the first.
    let isCollecting: Bool

    /// Decodes a document.
    func decode(_ document: Document) -> Result {
        if isCollecting {
            let report = adapter.report(from: document.bytes)
            return Result(models: report.models, isArray: report.isArray, problems: report.problems)
        }
        do throws(ModelError) {
            return document.isArray
                ? Result(models: try adapter.models(from: document.bytes), isArray: true)
                : Result(models: [try adapter.model(from: document.bytes)])
        } catch {
            return Result(problems: error.problems)
        }
    }
}
