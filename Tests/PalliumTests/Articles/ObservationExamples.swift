import Foundation
import Observation
import Pallium
import Synchronization

#if canImport(SwiftUI)
    import SwiftUI
#endif

// The examples of the article about observation, word for word; `ArticleTests` runs them and compares the texts.

@MainActor
enum ObservationExamples {
    final class Page: DynamicModel, Observable {
        var number: Int { value() }
        var title: String? {
            get { value() }
            set { set(newValue) }
        }
        var words: Int? {
            get { value() }
            set { set(newValue) }
        }
        var author: Author? {
            get { value() }
            set { set(newValue) }
        }
        var tags: [Tag] {
            get { value() }
            set { set(newValue) }
        }
    }

    final class Author: DynamicModel, Observable {
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
    }

    final class Tag: DynamicModel, Observable {
        var id: Int { value() }
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
    }

    /// What the examples print, by the name of the example.
    private nonisolated static let lines = Mutex<[String]>([])

    private nonisolated static func print(_ items: Any...) {
        lines.withLock { $0.append(items.map { "\($0)" }.joined(separator: " ")) }
    }

    /// What was printed since the last call.
    nonisolated static func printedLines() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    static func observedPage() throws -> (JSONAdapter<Page>, Page) {
        try SchemaRegistry.shared.register(
            ModelSchema(Author.self, ["name": .string]),
            ModelSchema(
                Tag.self, ["id": .integer.required, "name": .string],
                identity: ["id"]),
            ModelSchema(
                Page.self,
                [
                    "number": .integer.required, "title": .string,
                    "words": .integer, "author": .model("Author"),
                    "tags": .array(of: .model("Tag")).default([]),
                ], identity: ["number"]))
        let adapter = JSONAdapter(Page.self)
        let page = try adapter.model(
            from: """
                {"number": 1, "title": "Tea", "author": {"name": "Ada"},
                 "tags": [{"id": 1, "name": "drink"}]}
                """)
        return (adapter, page)
    }

    nonisolated static func observedNote() -> ModelSchema {
        ModelSchema("Note", ["text": .string], isObserved: true)
    }

    static func track(_ page: Page) {
        withObservationTracking {
            print(page.title ?? "untitled", page.author?.name ?? "nobody")
        } onChange: {
            print("something changed")
        }
        page.author?.name = "Grace"  // something changed
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    static func titles(of page: Page) -> Observations<String, Never> {
        let titles = Observations { page.title ?? "untitled" }
        return titles
    }

    static func printChanges(_ page: Page) async throws {
        let changes = try page.changes(of: "title", "author.name")
        let printing = Task {
            for await changes in changes {
                print(changes)  // /title: "Tea" → "Green tea"
            }
        }
        page.title = "Green tea"
        while lines.withLock(\.isEmpty) { await Task.yield() }
        printing.cancel()
        await printing.value
    }

    static func authorNames(of page: Page) throws -> ModelValueSequence<String> {
        let names = try page.values(of: "author.name", as: String.self)
        return names
    }

    static func logWords(of page: Page) throws {
        var log: [String] = []
        let observation = try page.observe("words") { changes in
            log.append("\(changes)")
        }
        page.words = 120
        page.words = 120  // an equal value is no change
        print(log)  // ["/words: nothing → 120"]
        observation.cancel()
        page.words = nil
        print(log.count)
    }

    static func insertedTags(_ adapter: JSONAdapter<Page>, _ page: Page) throws {
        var inserted: [String] = []
        let listing = try page.observe("tags") { changes in
            for case .insert(_, let tag, _) in changes.difference(
                of: "tags", as: Tag.self)
            {
                inserted.append(tag.name ?? "")
            }
        }
        try adapter.merge(
            #"{"tags": [{"id": 2, "name": "hot"}, {"id": 1}]}"#, into: page)
        print(inserted)  // ["hot"]
        listing.cancel()
    }

    static func setSeveral(of page: Page) throws {
        try page.transaction {
            page.title = "Black tea"
            page.words = 300
            try page.validate()
        }
    }

    /// A server with one open connection.
    @MainActor
    final class Server {
        private(set) var sent: [String] = []
        private(set) var isListening = false

        private func send(_ event: String) { sent.append(event) }

        /// Waits for events. Between `isListening` and the first wait of the loop nothing else runs on the main actor.
        func listen(to page: Page) async throws {
            isListening = true
            try await events(of: page)
        }

        func events(of page: Page) async throws {
            let adapter = JSONAdapter(Page.self)
            for await changes in try page.changes() {
                let keys = PropertySelection(changes.keys)
                let data = try adapter.data(from: page, only: keys)
                send("data: \(String(decoding: data, as: UTF8.self))\n\n")
            }
        }
    }

    final class History {
        private var states: [(before: Page, keys: [String])] = []
        private var last: Page
        private var isUndoing = false
        private var token: ModelObservation?

        init(of page: Page) throws {
            last = page.copy()
            token = try page.observe { [unowned self, unowned page] in
                if !isUndoing { states.append((last, $0.keys)) }
                last = page.copy()
            }
        }

        func undo(_ page: Page) throws {
            guard let (before, keys) = states.last else { return }
            isUndoing = true
            defer { isUndoing = false }
            try page.transaction {
                for key in keys {
                    if try before.state(of: key) == .unset {
                        try page.unset(key)
                        continue
                    }
                    let value = try before.value(forKey: key)
                    try page.setValue(value, forKey: key)
                }
            }
            states.removeLast()
        }
    }
}

#if canImport(SwiftUI)
    extension ObservationExamples {
        struct PageView: View {
            @Bindable var page: Page

            var body: some View {
                if let title = Binding($page.title) {
                    TextField("Title", text: title)
                }
                Text(page.author?.name ?? "nobody")
            }
        }
    }
#endif
