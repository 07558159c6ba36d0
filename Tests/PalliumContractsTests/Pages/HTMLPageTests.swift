import Foundation
import Pallium
import PalliumContracts
import Testing

@Suite struct HTMLPageTests {
    private static let hostileTexts = [
        "</script><img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "' onload='alert(1)", "]]>", "--><!--",
        "&lt;&#x41;", "a|b`c`", "[x](javascript:alert(1))", "{{x}}\\\"", "1. list", "- list", "# head", "\u{202E}abc",
        "日本語", "e\u{301}", "\u{FFFE}", "a\nb", "</title>", "model.a", "search",
    ]

    /// Schemas whose names, keys, paths, texts and documentation are all hostile.
    private static func hostile() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(
            hostileTexts.enumerated().map { index, text in
                var schema = ModelSchema(
                    text,
                    [
                        "plain": .model(hostileTexts[(index + 1) % hostileTexts.count]),
                        "text": .string.default(text).doc(text).rules(.pattern("[<&\"]|")),
                        "case": .enumeration(text, "other"),
                    ])
                schema.properties.append(ModelSchema.Property("key \(text)", .array(of: .model("search"))))
                schema.documentation = "\(text)\n\(text)"
                return schema
            })
        return registry
    }

    @Test func schemasCannotAddMarkup() throws {
        let page = try PageReader(Self.hostile().page(.html, title: Self.hostileTexts[0]))
        #expect(page.all("script").count == 1 && page.all("style").count == 1 && page.all("img").isEmpty)
        let plain = try PageReader(loaded(#"[{"name": "A", "properties": {"a": {"kind": "bool"}}}]"#).page(.html))
        #expect(page.all("script").map(\.text) == plain.all("script").map(\.text))
        let attributes = Set(page.elements.flatMap(\.attributes.keys))
        #expect(attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "src" && $0 != "style" })
        #expect(page.all("title").first?.text == Self.hostileTexts[0])
        let headings = Set(page.all("h2").map(\.text))
        for text in Self.hostileTexts where text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x2000 }) {
            #expect(headings.contains(text))
        }
        #expect(headings.contains("\\u{202e}abc") && headings.contains("a\\nb") && headings.contains("\u{FFFD}"))
    }

    @Test func everyLinkLeadsToOneElementOfThePage() throws {
        let page = try PageReader(Self.hostile().page(.html))
        let identifiers = page.elements.compactMap { $0.attributes["id"] }
        #expect(Set(identifiers).count == identifiers.count)
        let links = page.elements.compactMap { $0.attributes["href"] }
        #expect(links.count > 100)
        for link in links { #expect(link.first == "#" && identifiers.contains(String(link.dropFirst())), "\(link)") }
    }

    @Test func nothingIsLoaded() throws {
        let text = try Self.hostile().page(.html)
        let page = try PageReader(text)
        #expect(["link", "iframe", "object", "embed", "image", "use"].allSatisfy { page.all($0).isEmpty })
        let policy = page.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
        #expect(policy?.attributes["content"]?.hasPrefix("default-src 'none';") == true)
        let style = try #require(page.all("style").first?.text)
        #expect(!style.contains("@import") && !style.contains("url("))
    }

    @Test(arguments: [SchemaPageFormat.markdown, .dot, .mermaid])
    func otherPagesKeepHostileTextInItsPlace(_ format: SchemaPageFormat) throws {
        let page = try Self.hostile().page(format, title: "</b>")
        #expect(!page.contains("\u{202E}"))
        // In Graphviz, they are letters like all others.
        #expect(format == .dot || !page.contains("<script") && !page.contains("<img"))
        switch format {
        case .markdown:
            // Seven cells have eight bars.
            let rows = page.split(separator: "\n").filter { $0.hasPrefix("| <a id=") }
            #expect(rows.count == 4 * Self.hostileTexts.count)
            for row in rows { #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 8, "\(row)") }
            for heading in ["## 1\\. list", "## \\- list", "## \\# head"] { #expect(page.contains("\n\(heading)\n")) }
        case .dot:
            for line in page.split(separator: "\n").dropFirst(4).dropLast() {
                #expect(line.wholeMatch(of: #/  m\d+( -> m\d+)? \[label="(?:[^"\\]|\\.)*"\]/#) != nil, "\(line)")
            }
        default:
            for line in page.split(separator: "\n").dropFirst() {
                #expect(line.wholeMatch(of: #/  m\d+(\["[^"]*"\]| -->\|"[^"]*"\| m\d+)/#) != nil, "\(line)")
                let text = line.split(separator: "\"")[1]
                #expect(text.unicodeScalars.allSatisfy { !"<>[]{}|`&".unicodeScalars.contains($0) }, "\(line)")
            }
        }
    }

    /// Schemas with properties that lead from each number to others.
    private func registry(_ count: Int, _ targets: (Int) -> [Int]) throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(
            (0..<count).map { index in
                var schema = ModelSchema("Model\(index)", [:])
                schema.properties = targets(index).enumerated().map {
                    ModelSchema.Property("p\($0)", .model("Model\($1)"))
                }
                return schema
            })
        return registry
    }

    @Test func aModelListsWhatItRefersToAndWhatRefersToIt() throws {
        let registry = try loaded(
            """
            [{"name": "Shape", "properties": {"kind": {"kind": "string"}, "next": {"kind": "model", "model": "Shape"},
               "dots": {"kind": "array", "of": {"kind": "model", "model": "Dot"}},
               "dot": {"kind": "model", "model": "Dot"}},
              "cluster": {"discriminator": "kind", "models": {"circle": "Circle", "dot": "Dot"}}},
             {"name": "Circle", "extends": "Shape"}, {"name": "Dot", "extends": "Circle"}]
            """)
        let links = { (text: String) in "<a href=\"#model.\(text)\">\(text)</a>" }
        let facts = { (name: String, texts: [String]) in
            "<div><dt>\(name)</dt><dd>\(texts.map(links).joined(separator: ", "))</dd></div>\n"
        }
        let page = try registry.page(.html)
        #expect(
            page.contains(
                facts("Refers to", ["Shape", "Dot"]) + facts("Extended by", ["Circle"])
                    + facts("Used by", ["Shape.next"]) + "</dl>"))
        #expect(
            page.contains(
                facts("Chosen by", ["Shape"]) + facts("Used by", ["Shape.dots", "Shape.dot"]) + "</dl>"))
        // Its parent chooses it.
        #expect(page.ranges(of: "Chosen by").count == 1)
    }

    /// The models that one of many models refers to.
    enum Pattern: CaseIterable {
        case none, ring, star, many

        func targets(_ index: Int, of count: Int) -> [Int] {
            switch self {
            case .none: []
            case .ring: [(index + 1) % count]
            case .star: index == 0 ? Array(1..<200) : [0]
            case .many: (0..<12).map { (index * $0) % 150 }
            }
        }
    }

    @Test(arguments: Pattern.allCases)
    func thePageIsLinearInTheSchemas(_ pattern: Pattern) throws {
        func sizes(_ count: Int) throws -> [Int] {
            let registry = try registry(count) { pattern.targets($0, of: count) }
            return try SchemaPageFormat.allCases.map { try registry.page($0).utf8.count }
        }
        for (half, whole) in try zip(sizes(500), sizes(1000)) { #expect(whole < half * 11 / 5) }
    }

    @Test func inheritedPropertiesAreListedUpToALimit() throws {
        let registry = SchemaRegistry()
        var parent = ModelSchema("Parent", [:])
        parent.properties = (0..<60).map { ModelSchema.Property("p\($0)", .bool) }
        let children = (0..<500).map { ModelSchema("Child\($0)", ["p0": .bool.required], extends: "Parent") }
        try registry.register([parent] + children)
        let page = try PageReader(registry.page(.html))
        let lists = page.all("dd").filter { $0.text.hasPrefix("p1, p2, ") }
        #expect(lists.count == 500)
        // One of the sixty is declared again, and 23 are listed.
        #expect(lists.allSatisfy { $0.text.hasSuffix(", p23 and 36 more") })
    }
}
