import Foundation
import TestSupport
import Testing

/// The names that accessors cannot have are the properties of the base class.
struct TakenNameTests {
    @Test func everyPublicPropertyOfTheBaseClassIsTaken() throws {
        let list = try String(
            contentsOf: SharedData.repository.appendingPathComponent(".ci/api.txt"), encoding: .utf8)
        let names = list.matches(of: #/(?m)^DynamicModel \| (?:final |override )*var (\w+):/#).map {
            String($0.1)
        }
        try #require(names.count >= 9)
        for name in names + ["hashValue"] {
            let lines = try generatedLines(properties: #""\#(name)": {"kind": "string"}"#)
            #expect(lines.contains("var \(name)Value: String? {"), "\(name)")
        }
    }

    @Test func theArticleListsTheSameNames() throws {
        let article = try String(
            contentsOf: SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc/GettingStarted.md"),
            encoding: .utf8)
        let section = try #require(article.components(separatedBy: "### Names that are taken\n").last)
        let sentence = section.components(separatedBy: "Give the").first ?? ""
        let names = sentence.matches(of: #/`(\w+)`/#).map { String($0.1) }
        try #require(names.count == 11)
        for name in names {
            let lines = try generatedLines(properties: #""\#(name)": {"kind": "string"}"#)
            #expect(lines.contains("var \(name)Value: String? {"), "\(name)")
        }
    }
}
