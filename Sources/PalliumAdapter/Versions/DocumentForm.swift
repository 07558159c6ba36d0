package import PalliumCore
package import PalliumJSON

/// A form of documents: where models and their values stand in it.
package protocol DocumentForm {
    associatedtype Places: ValuePlaces

    /// Whether dates are numbers of seconds since 2001.
    var datesAreNumbers: Bool { get }

    /// Returns the model whose steps an object takes: the one that it names, or else the declared one.
    func layout(
        of members: JSONObject, as declared: ModelLayout, _ versions: SchemaVersions
    ) throws(ModelError) -> ModelLayout

    /// Returns the descendant that the cluster of a layout chooses for an object in the present version; nil if there is
    /// no such one.
    func descendant(of layout: ModelLayout, for members: JSONObject) -> ModelLayout?

    /// Lets an object say which model it is.
    ///
    /// - Parameter isMade: Whether a step has made it; others say it already, perhaps by a former name.
    func name(_ layout: ModelLayout, in members: inout JSONObject, isMade: Bool)

    /// Returns where the values of a layout stand in an object that takes some steps.
    func places(of layout: ModelLayout, before plan: UpgradePlan?) -> Places

    /// Returns the layout to whose rows objects of a layout refer; nil if they are the models themselves.
    func rowLayout(of layout: ModelLayout) -> ModelLayout?

    /// Returns a value without models as JSON.
    func json(_ value: FormerModel.Value, _ descriptor: ValueDescriptor?) throws(ModelError) -> JSONValue
}

/// Where the values of keys stand in an object.
package protocol ValuePlaces {
    /// The values of an object, in its order.
    func values(in members: JSONObject, _ levels: [FormerModel.Level]) -> FormerModel

    /// Returns the path of a property's value, if it is made of models as they stand there.
    func pathOfModels(_ property: ModelLayout.Property, in members: JSONObject) -> JSONKeyPath?

    /// Returns all paths at which the value of a key may stand.
    func paths(of key: String) -> [JSONKeyPath]

    /// Sets the value of a key whose former value was removed.
    ///
    /// - Parameter document: The object with the former value.
    func set(
        _ value: JSONValue, forKey key: String, in members: inout JSONObject, formerly document: JSONObject
    ) throws(ModelError)
}
