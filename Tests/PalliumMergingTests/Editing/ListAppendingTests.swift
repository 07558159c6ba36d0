import Pallium
import TestSupport
import Testing

/// Appending to a list through its accessor.
struct ListAppendingTests {
    private final class Folder: DynamicModel {
        var words: [String]? {
            get { value() }
            set { set(newValue) }
        }
        var numbers: [Int8]? {
            get { value() }
            set { set(newValue) }
        }
        /// The same numbers as wider integers, of which some are refused.
        var wideNumbers: [Int]? { value("numbers") }
        var gaps: [Double?]? {
            get { value() }
            set { set(newValue) }
        }
        var folders: [Folder]? {
            get { value() }
            set { set(newValue) }
        }
    }

    private let registry = SchemaRegistry()

    init() throws {
        try registry.register(
            ModelSchema(
                Folder.self,
                [
                    "words": .array(of: .string), "numbers": .array(of: .integer(as: Int8.self)),
                    "gaps": .array(of: .double.nullable), "folders": .array(of: .model(Folder.self)),
                ]))
    }

    private func folder() -> Folder { Folder(registry: registry) }

    @Test func everyWayOfChangingAListIsRead() {
        let folder = folder()
        var expected: [String] = []
        for number in 0..<200 {
            let change: (inout [String]) -> Void = { words in
                switch number % 7 {
                case 0: words.insert("\(number)", at: words.count / 2)
                case 1: words[number % words.count] = "replaced by \(number), which is a long text"
                case 2: words.removeLast()
                case 3: words += ["x\(number)", "y\(number)"]
                case 4: words.swapAt(0, words.count - 1)
                default: words.append("\(number) and more, so that the text is a long one")
                }
            }
            change(&expected)
            var words = folder.words ?? []
            change(&words)
            folder.words = words
            #expect(folder.words == expected)
            #expect(folder["words", as: [String].self] == expected)
        }
    }

    @Test func copiesAndFrozenViewsKeepTheirElements() {
        let folder = folder()
        folder.words = ["a"]
        _ = folder.words
        folder.words?.append("b")
        let copy = folder.copy()
        let frozen = folder.frozen()
        let words = folder.words
        folder.words?.append("c")
        copy.words?.append("d")
        #expect(folder.words == ["a", "b", "c"])
        #expect(copy.words == ["a", "b", "d"])
        #expect(frozen.words == ["a", "b"])
        #expect(words == ["a", "b"])
    }

    @Test func aRefusedElementLeavesTheListAsItWas() {
        let folder = folder()
        folder.numbers = [1, 2]
        #expect(folder.wideNumbers == [1, 2])
        let error = #expect(throws: ModelError.self) { try folder.setValue([1, 2, 3, 300], forKey: "numbers") }
        #expect(error?.pointer?.description == "/numbers/3")
        #expect(folder.wideNumbers == [1, 2])
        #expect(folder.numbers == [1, 2])
        folder.numbers?.append(3)
        #expect(folder.numbers == [1, 2, 3] && folder.wideNumbers == [1, 2, 3])
        folder.gaps = [1, nil]
        folder.gaps?.append(nil)
        folder.gaps?.append(-0.0)
        #expect(folder.gaps == [1, nil, nil, 0])
    }

    @Test func anAppendedListIsWrittenAndComparedAsAnother() throws {
        let (folder, other) = (folder(), folder())
        folder.folders = []
        for _ in 0..<40 {
            folder.folders?.append(self.folder())
            _ = folder.folders
        }
        other.folders = (0..<40).map { _ in self.folder() }
        #expect(folder == other)
        #expect(folder.hashValue == other.hashValue)
        let adapter = JSONAdapter(Folder.self, registry: registry)
        #expect(try adapter.data(from: folder) == adapter.data(from: other))
        folder.folders?.append(self.folder())
        #expect(folder != other)
    }
}
