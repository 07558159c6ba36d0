import Pallium

/// The result of decoding a document, or an element of an array that is too long to be held.
struct Decoded {
    enum Element { case at(Int), end }

    var models: [DynamicModel] = []
    var isArray = false
    var problems: [ModelError] = []
    /// The name of the file in messages.
    let file: String
    /// The location for problems without one of their own.
    var location: JSONLocation?
    /// The bytes of the document or element, if the decoder keeps them and it is complete.
    var text: [UInt8]?
    /// The element of an array; nil for a whole document.
    var element: Element?
}
