package import PalliumJSON

/// The context of a conversion, found out when it is asked for.
///
/// Your code seldom asks, and to find out takes longer than most conversions do. So a reader that converts many values
/// hands out an object that finds out when it is asked.
package protocol ConversionContext: AnyObject, Sendable {
    var schema: String { get }
    var property: String { get }
    var pointer: JSONPointer { get }
    var userInfo: [String: any Sendable] { get }
}
