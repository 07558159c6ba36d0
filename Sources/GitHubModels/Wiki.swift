public import Foundation
public import Pallium

/// A change to a page of a wiki.
public final class WikiPage: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `created`.
        case created
        /// The text `edited`.
        case edited
    }

    /// Name as it appears in addresses.
    public var pageName: String { value() }
    /// Name for people.
    public var title: String { value() }
    /// What the author wrote about the change.
    public var summary: String? { value() }
    /// What happened to the page.
    public var action: Action? { value() }
    /// Version of the page.
    public var sha: String { value() }
    /// Address of the page.
    public var htmlURL: URL { value() }
}
