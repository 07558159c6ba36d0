import Pallium

/// What a document gave; or an element of an array that is too long to be held.
struct Decoded {
    enum Element { case at(Int), end }

    var models: [DynamicModel] = []
    var isArray = false
    var problems: [ModelError] = []
    /// What messages call the file.
    let file: String
    /// The place in the file of problems that have none of their own.
    var location: JSONLocation?
    /// Which element of an array it is; nil for a whole document.
    var element: Element?
}
