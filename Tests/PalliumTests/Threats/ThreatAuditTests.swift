import TestSupport
import Testing

/// Every threat has a test that is named after it.
@Suite(.needs("the sources of the tests", if: TraitCitations.sourcesAreThere))
struct ThreatAuditTests {
    @Test func everyThreatHasATest() throws {
        // The compiler has seen that the citations are threats.
        let cited = Set(try TraitCitations(of: "threat").citations.map(\.argument))
        #expect(Threat.allCases.filter { !cited.contains(".\($0)") } == [])
    }
}
