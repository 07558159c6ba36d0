import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads the keywords of a schema, and refuses those that schemas cannot express.
extension ContractReader {
    /// Reads the keywords of a schema, which is an object.
    mutating func keywords(of schema: LocatedJSON) -> ContractKeywords? {
        guard case .object(let members) = schema.content else {
            report(schema.offset, "expected a schema, which is an object, but found \(schema.summary)")
            return nil
        }
        var repeated: [LocatedJSON.Member] = []
        let keywords = ContractKeywords(members, at: schema.offset) { repeated.append($0) }
        for member in repeated {
            report(member.nameOffset, "the keyword \(ModelError.quote(member.name)) occurs twice", fix: "keep one")
        }
        return repeated.isEmpty ? keywords : nil
    }

    /// Reports every keyword that is no annotation and not among those that are read here.
    ///
    /// - Parameter place: The schemas that do not have the others, such as "of text".
    @discardableResult
    mutating func refuseOthers(than known: [String], in keywords: ContractKeywords, _ place: String) -> Bool {
        let problemsBefore = problems.count
        for member in keywords.assertions where !known.contains(where: { UTF8Text.equal($0, member.name) }) {
            if ContractKeywords.isStandard(member.name) {
                report(
                    member.nameOffset, "\(member.name): schemas \(place) cannot have this keyword here",
                    fix: ContractKeywords.replacement(for: member.name))
            } else {
                report(
                    member.nameOffset, "unknown keyword \(ModelError.quote(member.name))",
                    fix: DocumentProblem.suggestion(for: member.name, among: ContractKeywords.standard))
            }
        }
        return problems.count == problemsBefore
    }
}
