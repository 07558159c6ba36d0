// Stands for Mantle where a program is on its way from one library to the other and imports both.
open class MTLModel { public init() {} }
public protocol MTLJSONSerializing {}
public final class MTLJSONAdapter {
    public static func model(of modelClass: AnyClass, fromJSONDictionary dictionary: [AnyHashable: Any]?) throws -> Any {
        MTLModel()
    }
}
public let MTLURLValueTransformerName = "MTLURLValueTransformerName"
