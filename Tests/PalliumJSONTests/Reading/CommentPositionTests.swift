import PalliumJSON
import Testing

/// What an error finds in a text with comments is what stands there.
struct CommentPositionTests {
    /// A text with a mistake, and the byte that is found.
    @Test(arguments: [
        ("[-/**/1]", 2, "'/'"), ("[1./**/5]", 3, "'/'"), ("[1e/**/5]", 3, "'/'"), ("[-//\n1]", 2, "'/'"),
        (#"{"a",}"#, 4, "','"), (#"{"a":,}"#, 5, "','"), (#"{"a" ,/**/ }"#, 5, "','"), ("[tr/**/ue]", 3, "'/'"),
    ])
    func anErrorFindsWhatStandsInTheText(text: String, offset: Int, found: String) throws {
        var options = JSONReadingOptions()
        options.comments = .accept
        let error = try #require(verdictOfReading(Array(text.utf8), options))
        #expect(error.offset == offset && error.description.contains("found \(found)"), "\(error)")
    }
}
