import Foundation
import ModelTestSupport
import Pallium
import Testing

/// A URL that was decoded behaves like one that was set, whatever is done with its model.
struct DecodedURLTests {
    private final class Page: DynamicModel {
        var name: String { value() }
        var home: URL? {
            get { value() }
            set { set(newValue) }
        }
        var feed: URL? {
            get { value() }
            set { set(newValue) }
        }
        var next: Page? {
            get { value() }
            set { set(newValue) }
        }
        var links: [URL] { value() }
    }

    /// A class whose stored property keeps its models apart from their slots.
    private final class CountingPage: DynamicModel {
        var visits = 0
        var home: URL? { value() }
    }

    private static let schema = ModelSchema(
        Page.self,
        [
            "name": .string.required, "home": .url.nullable, "feed": .url.nullable,
            "links": .array(of: .url).default([]), "next": .model("Page").nullable,
        ])
    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<Page>

    init() throws {
        registry = try SchemaRegistry.of(
            Self.schema, ModelSchema(CountingPage.self, ["home": .url.nullable]))
        adapter = JSONAdapter(Page.self, registry: registry)
    }

    private static let home = "https://example.org/a/long/path?query=1#fragment"
    private static let feed = "https://example.org/feed.xml"

    private static func document(_ name: String, next: String = "null") -> String {
        """
        {"name":"\(name)","home":"\(home)","feed":"\(feed)","links":["\(home)"],"next":\(next)}
        """
    }

    private func page(_ name: String = "a", next: String = "null") throws -> Page {
        try adapter.model(from: Self.document(name, next: next))
    }

    /// A page with the same values that were set and not decoded.
    private func setPage() throws -> Page {
        try Page(
            values: [
                "name": "a", "home": URL(string: Self.home), "feed": URL(string: Self.feed), "next": Page?.none,
                "links": [URL(string: Self.home)!],
            ], registry: registry)
    }

    @Test(arguments: [
        ("http://a", 0), ("http://a.b/c", 0), ("https://a.b/cde", 0), ("https://example.org/0123456789", 0),
        ("https://example.org/", 5000), ("https://example.org/", 100_000),
    ])
    func urlsOfAllLengthsAreReadAndWritten(start: String, count: Int) throws {
        let text = start + String(repeating: "x", count: count)
        let page = try adapter.model(from: #"{"name":"a","home":"\#(text)","feed":"\#(text)"}"#)
        #expect(page.home?.absoluteString == text && page.feed?.absoluteString == text)
        #expect(try adapter.jsonObject(from: page)["home"] as? String == text)
        let other = try adapter.model(from: #"{"feed":"\#(text)","name":"a","home":"\#(text)"}"#)
        #expect(try adapter.jsonObject(from: other)["feed"] as? String == text)
    }

    @Test func anUnreadURLIsWrittenAsItWas() throws {
        let document = Self.document("a", next: Self.document("b"))
        #expect(try adapter.data(from: page("a", next: Self.document("b"))) == Data(document.utf8))
    }

    @Test func decodedAndSetURLsAreEqualAndHashAlike() throws {
        let (decoded, read, set) = try (page(), page(), setPage())
        #expect(read.home != nil)
        for (left, right) in [(decoded, set), (decoded, read), (read, set), (set, decoded), (decoded, try page())] {
            #expect(left == right)
            #expect(left.hashValue == right.hashValue)
        }
        set.feed = URL(string: "https://example.org/feed.xmm")
        #expect(decoded != set && set != decoded)
        #expect(decoded != (try adapter.model(from: #"{"name":"a","home":"\#(Self.home)/x"}"#)))
    }

    @Test func copiesKeepTheirURLsWhenTheOriginalChangesOrGoes() throws {
        var original: Page? = try page("a", next: Self.document("b"))
        let copies = [original!.copy(), original!.deepCopy()]
        let frozen = original!.frozen()
        original!.home = nil
        original!.feed = URL(string: "https://example.org/other")
        original!.next?.home = nil
        original = nil
        for copy in copies {
            #expect(copy.home?.absoluteString == Self.home && copy.feed?.absoluteString == Self.feed)
            #expect(copy.links.map(\.absoluteString) == [Self.home])
        }
        #expect(copies[1].next?.home?.absoluteString == Self.home)
        #expect(frozen.feed?.absoluteString == Self.feed)
        #expect(copies[0].copy().copy().feed?.absoluteString == Self.feed)
    }

    @Test func aChangedURLReplacesADecodedOne() throws {
        let page = try page()
        page.home = URL(string: "https://example.com")
        #expect(page.home?.absoluteString == "https://example.com" && page.feed?.absoluteString == Self.feed)
        page.feed = nil
        #expect(page.feed == nil)
        try page.setValue(URL(string: Self.home), forKey: "feed")
        #expect(page.feed?.absoluteString == Self.home)
    }

    @Test func archivesKeepDecodedURLs() throws {
        let page = try page("a", next: Self.document("b"))
        let bytes = try ModelArchiver().archive(page)
        let restored = try ModelUnarchiver(registry: registry).unarchive(Page.self, from: bytes)
        #expect(restored == page && restored.next?.feed?.absoluteString == Self.feed)
    }

    @Test func theLastOfRepeatedMembersCounts() throws {
        let text = #"{"name":"a","home":"\#(Self.home)","feed":"\#(Self.feed)","home":"\#(Self.feed)","feed":null}"#
        let page = try adapter.model(from: text)
        #expect(page.home?.absoluteString == Self.feed && page.feed == nil)
    }

    @Test func aProblemInsideLeavesNothingBehind() throws {
        // Objects around and before the problem have URLs.
        for depth in [1, 3, 40] {
            var text = #"{"name":1,"home":"\#(Self.home)"}"#
            for level in 0..<depth { text = Self.document("\(level)", next: text) }
            #expect(throws: ModelError.self) { try adapter.model(from: text) }
            let report = adapter.report(from: text)
            #expect(report.model == nil || report.model?.home?.absoluteString == Self.home)
            #expect(report.problems.count == 1)
            #expect(throws: ModelError.self) { try adapter.model(from: text.dropLast(depth)) }
        }
        let skipping = adapter.with { $0.elements = .skip }
        let list =
            "[" + [Self.document("a"), #"{"home":"\#(Self.home)"}"#, Self.document("c")].joined(separator: ",") + "]"
        #expect(try skipping.models(from: list).map(\.feed?.absoluteString) == [Self.feed, Self.feed])
    }

    @Test func deeplyNestedModelsHaveTheirURLs() throws {
        var text = "null"
        for level in 0..<100 { text = Self.document("\(level)", next: text) }
        var page: Page? = try adapter.model(from: text)
        var level = 99
        while let current = page {
            #expect(current.name == "\(level)" && current.home?.absoluteString == Self.home)
            #expect(current.feed?.absoluteString == Self.feed)
            page = current.next
            level -= 1
        }
        #expect(level == -1)
    }

    @Test func mergingChangesOnlyWhatDiffers() throws {
        let page = try page("a", next: Self.document("b"))
        let same = try adapter.merge(Self.document("a", next: Self.document("b")), into: page)
        #expect(same.isEmpty)
        let changes = try adapter.merge(#"{"home":"\#(Self.feed)","feed":"\#(Self.feed)"}"#, into: page)
        #expect(changes.map(\.key) == ["home"])
        #expect(page.home?.absoluteString == Self.feed && page.feed?.absoluteString == Self.feed)
        try page.merge(from: self.page("z"))
        #expect(page.home?.absoluteString == Self.home && page.name == "z")
    }

    /// Validators see what changes, in whatever form both sides have the same URL.
    @Test func equalURLsInEveryFormChangeNothing() throws {
        let seen = Journal()
        let schema = ModelSchema(
            "Site", ["home": .url.nullable.validate { (_: inout URL?, _) in seen.add("home") }, "name": .string])
        let registry = try SchemaRegistry.of(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        func decoded() throws -> DynamicModel { try adapter.model(from: #"{"home":"\#(Self.home)"}"#) }
        func models() throws -> [DynamicModel] {
            let read = try decoded()
            _ = read["home"]
            let set = try DynamicModel(schema: schema, values: ["home": URL(string: Self.home)], registry: registry)
            let archived = try ModelUnarchiver(registry: registry).unarchive(
                schema, from: ModelArchiver().archive(read))
            return [try decoded(), read, set, archived, try decoded().copy()]
        }
        for target in try models() {
            for source in try models() {
                seen.clear()
                #expect(try target.merge(from: source).isEmpty)
                #expect(try adapter.merge(JSONValue.object(["home": .string(Self.home)]), into: target).isEmpty)
                #expect(try adapter.merge(#"{"home":"\#(Self.home)"}"#, into: target).isEmpty)
                #expect(seen.all == [])
            }
        }
    }

    @Test func revertingRestoresDecodedURLs() throws {
        let page = try page()
        page.trackChanges()
        page.home = nil
        page.feed = URL(string: "https://example.com")
        page.revert()
        #expect(page.home?.absoluteString == Self.home && page.feed?.absoluteString == Self.feed)
    }

    @Test func aClassWithStoredPropertiesKeepsThemAndItsURLs() throws {
        let adapter = JSONAdapter(CountingPage.self, registry: registry)
        let page = try adapter.model(from: #"{"home":"\#(Self.home)"}"#)
        page.visits = 3
        let copy = page.copy()
        #expect(page.visits == 3 && copy.visits == 0)
        #expect(copy.home?.absoluteString == Self.home && copy == page)
    }
}
