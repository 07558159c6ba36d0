public import Foundation
public import Pallium

/// A published version of a repository.
public final class Release: DynamicModel {
    /// Number of the release.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Tag it was made from.
    public var tagName: String { value() }
    /// Branch or commit the tag is made from if it does not exist.
    public var targetCommitish: String? { value() }
    /// Title.
    public var name: String? {
        get { value() }
        set { set(newValue) }
    }
    /// Markdown source of the notes.
    public var body: String? {
        get { value() }
        set { set(newValue) }
    }
    /// Notes as HTML, if they were asked for.
    public var bodyHTML: String? { value() }
    /// Notes as plain text, if they were asked for.
    public var bodyText: String? { value() }
    /// Beginning of the notes; events only.
    public var shortDescriptionHTML: String? { value() }
    /// Whether the beginning is not everything; events only.
    public var isShortDescriptionHTMLTruncated: Bool? { value() }
    /// Whether it is not public yet.
    public var isDraft: Bool { value() }
    /// Whether it is not meant for everybody.
    public var isPrerelease: Bool { value() }
    /// Whether its files can no longer change.
    public var isImmutable: Bool? { value() }
    /// Who published it.
    public var author: User? { value() }
    /// Files that belong to it.
    public var assets: [ReleaseAsset]? { value() }
    /// Counted reactions.
    public var reactions: Reactions? { value() }
    /// People whom the notes mention.
    public var mentions: [User]? { value() }
    /// Number of people whom the notes mention.
    public var mentionsCount: Int? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// API address of its files.
    public var assetsURL: URL? { value() }
    /// URI template.
    public var uploadURL: String? { value() }
    /// The source as a tar archive; null for a draft.
    public var tarballURL: URL? { value() }
    /// The source as a zip archive; null for a draft.
    public var zipballURL: URL? { value() }
    /// Address of the discussion about it.
    public var discussionURL: URL? { value() }
    /// When the tagged commit was made.
    public var createdAt: Date { value() }
    /// When it was last changed.
    public var updatedAt: Date? { value() }
    /// When it was published; null for a draft.
    public var publishedAt: Date? { value() }
}

/// A file that belongs to a release.
public final class ReleaseAsset: DynamicModel {
    /// Values of ``state``; a text not listed here reads as nil and is written back unchanged.
    public enum State: String, PropertyEnumeration {
        /// The text `uploaded`.
        case uploaded
        /// The text `open`.
        case open
        /// The text `starter`.
        case starter
    }

    /// Number of the file.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// File name.
    public var name: String { value() }
    /// Name to show instead.
    public var label: String? { value() }
    /// Whether the upload is complete.
    public var state: State? { value() }
    /// Media type.
    public var contentType: String { value() }
    /// In bytes.
    public var size: Int { value() }
    /// Name of a hash function, a colon and the hash.
    public var digest: String? { value() }
    /// How often it was downloaded.
    public var downloadCount: Int { value() }
    /// Who uploaded it.
    public var uploader: User? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of the file.
    public var browserDownloadURL: URL { value() }
    /// When it was uploaded.
    public var createdAt: Date { value() }
    /// When it was last changed.
    public var updatedAt: Date { value() }
}
