import Foundation
import TestSupport
import Testing

/// Every row of the conformance table has its test, or its line in the documentation.
@Suite(.needs("the sources of the tests", if: TraitCitations.sourcesAreThere))
struct RowAuditTests {
    @Test func everyCitationIsARow() throws {
        let citations = try RowCitations()
        let known = Set(ConformanceTable.rows.map(\.id))
        #expect(citations.malformed == [])
        #expect(citations.ids.subtracting(known).sorted() == [])
    }

    @Test func everyRowIsCitedByATest() throws {
        let cited = try RowCitations().ids
        let missing = ConformanceTable.rows.filter { $0.kind.needsTest && !cited.contains($0.id) }
        #expect(missing.map { "\($0.id) (\($0.section), \($0.kind))" } == [])
    }

    @Test func everyOtherRowStandsInTheArticle() throws {
        let file = SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc/ComingFromMantle.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let named = Set(text.matches(of: #/C[0-9]{3}/#).map { String($0.0) })
        let missing = ConformanceTable.rows.filter { $0.kind.needsExplanation && !named.contains($0.id) }
        #expect(missing.map { "\($0.id) (\($0.section), \($0.kind))" } == [])
    }

    /// The table stands beside the repository and need not be there.
    @Test(.needs(shared: "../mantle-conformance.md"))
    func theRowsAreThoseOfTheTable() throws {
        let text = String(decoding: try SharedData.bytes("../mantle-conformance.md"), as: UTF8.self)
        let names = ["keep": "keep", "fix": "fix", "decide": "decide", "objc": "objectiveC"]
        let rows = text.matches(of: #/(?m)^\| (C[0-9]{3}) \|.*\| ([a-z]+) \|$/#).map { match in
            "\(match.1) \(names[String(match.2)] ?? "of no kind")"
        }
        #expect(rows == ConformanceTable.rows.map { "\($0.id) \($0.kind)" })
    }
}

/// The rows that the sources of the tests cite.
private struct RowCitations {
    var ids: Set<String> = []
    /// Citations that cannot be read, with their file.
    var malformed: [String] = []

    init() throws {
        for citation in try TraitCitations(of: "row").citations {
            if let row = citation.argument.wholeMatch(of: #/"(C[0-9]{3})"/#) {
                ids.insert(String(row.1))
            } else {
                malformed.append("\(citation.file): \(citation.argument)")
            }
        }
    }
}
