public import Foundation
public import Pallium

/// A few files kept under version control outside of any repository.
public final class Gist: DynamicModel {
    /// Hexadecimal text, unlike the numbers elsewhere.
    public var id: String { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// What it is about.
    public var summary: String? {
        get { value() }
        set { set(newValue) }
    }
    /// Whether it is listed.
    public var isPublic: Bool { value() }
    /// Whether the list of files is not complete.
    public var isTruncated: Bool? { value() }
    /// Files by name.
    public var files: [String: GistFile] { value() }
    /// Who made it.
    public var owner: User? { value() }
    /// Who made it, in answers before 2013; null later.
    public var user: User? { value() }
    /// Number of comments.
    public var commentCount: Int? { value() }
    /// Whether comments are allowed.
    public var areCommentsEnabled: Bool? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// API address of its forks.
    public var forksURL: URL? { value() }
    /// API address of its versions.
    public var commitsURL: URL? { value() }
    /// API address of its comments.
    public var commentsURL: URL? { value() }
    /// Address for cloning.
    public var gitPullURL: URL? { value() }
    /// Address for pushing.
    public var gitPushURL: URL? { value() }
    /// When it was made.
    public var createdAt: Date { value() }
    /// When it was last changed.
    public var updatedAt: Date { value() }
    /// Copies of it; sent for a single gist only, not described further.
    public var forks: JSONValue? { value() }
    /// Its versions; sent for a single gist only, not described further.
    public var history: JSONValue? { value() }
}

/// A file of a gist.
public final class GistFile: DynamicModel {
    /// Name of the file.
    public var filename: String? { value() }
    /// Media type.
    public var type: String? { value() }
    /// Language it is written in.
    public var language: String? { value() }
    /// Address of its bytes.
    public var rawURL: URL? { value() }
    /// In bytes.
    public var size: Int? { value() }
    /// How the content is written.
    public var encoding: String? { value() }
    /// The text; lists leave it out.
    public var content: String? { value() }
    /// Whether the text is not complete.
    public var isTruncated: Bool? { value() }
}
