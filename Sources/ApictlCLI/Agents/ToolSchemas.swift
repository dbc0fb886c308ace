import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

extension EndpointDescription {
    /// The response with its fields in a few lines, such as `Returns one page of a list: …`. It has no line break at
    /// its end.
    var outline: String {
        let list = endpoint.pages != nil ? "one page of a list: " : ""
        return "Returns \(list)\(responseShape?.outline ?? returns)".trimmingLineBreaks
    }

    /// Returns the JSON Schema of a tool's arguments: the endpoint's parameters, then the arguments that all tools
    /// have.
    ///
    /// - Parameter otherArguments: The names and schemas of the arguments that are no parameters, such as `select`. If
    ///   a parameter has the same name, only the parameter is in the schema.
    func inputSchema(adding otherArguments: JSONMembers = []) -> JSONValue {
        // The tool stays usable without the schemas of its parameters: the call itself checks the values.
        let shape = (try? declaration.parameterShape()) ?? ModelShape(root: .object([]), models: [])
        var properties: JSONMembers = []
        var required: [String] = []
        for field in shape.directFields(of: shape.root) {
            let name = declaration.argumentName(field.key)
            // A structure may have no description of its own, because the command line has flags only for its fields.
            // It is then described by its shape alone, and counts as optional.
            let parameter = parameters.first { $0.names == [field.key] }
            properties.append((name, schema(of: field, describedBy: parameter, in: shape)))
            if parameter?.required == true { required.append(name) }
        }
        let parameterNames = Set(properties.map(\.0))
        properties += otherArguments.filter { name, _ in !parameterNames.contains(name) }
        return .object(properties, required: required)
    }

    /// Returns the schema of a parameter, with the remarks about it as its description.
    ///
    /// - Parameters:
    ///   - field: The field of the parameter in the shape.
    ///   - parameter: The description of the parameter; nil if it has none.
    ///   - shape: The shape of all parameters, with the models that `field` names.
    private func schema(
        of field: Shape.Field, describedBy parameter: ParameterDescription?, in shape: ModelShape
    ) -> JSONValue {
        var schema = SchemaWriter.inlined(field.shape, models: shape).pairs
        if let remarks = parameter?.remarks.safeForModels.nonEmpty {
            schema.append(("description", JSONValue(remarks)))
        }
        return JSONValue(schema)
    }
}

extension EndpointDeclaration {
    /// Returns the name of a parameter as the argument of a tool, in snake case: `releaseYear` becomes `release_year`.
    ///
    /// A parameter without a label is named after its type.
    ///
    /// - Parameter name: The Swift name of the parameter.
    func argumentName(_ name: String) -> String {
        String(signature.shownName(of: name).map { $0 == "-" ? "_" : $0 })
    }
}

extension JSONValue {
    /// Returns the JSON Schema of an object with these properties and no others.
    static func object(_ properties: JSONMembers, required: [String]) -> JSONValue {
        JSONValue(members: [
            "type": "object", "properties": JSONValue(properties), "required": required, "additionalProperties": false,
        ])
    }
}

extension SchemaWriter {
    /// The deepest nesting of models that is written out. A model that is nested more deeply becomes any object.
    private static let maxInlinedModels = 6

    /// Returns the JSON Schema of a parameter's shape, with the schema of each model written out where it is used.
    ///
    /// The schema is a part of a tool's definition, which has no list of models to refer to. A model inside itself
    /// would never end when it is written out. So the inner one becomes `{"type": "object"}`: any object. The same
    /// holds for a model that is nested too deeply.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - models: The models that the shape names.
    ///   - enclosingModels: The names of the models around the shape, from the outermost to the innermost.
    static func inlined(
        _ shape: Shape, models: ModelShape, in enclosingModels: [String] = []
    ) -> JSONValue {
        func schemaOfModel(_ name: String) -> JSONMembers {
            let isInsideItself = enclosingModels.contains(name)
            let isTooDeep = enclosingModels.count >= maxInlinedModels
            guard !isInsideItself, !isTooDeep, let model = models.model(name) else { return [("type", "object")] }
            return inlined(model.shape, models: models, in: enclosingModels + [name]).pairs
        }
        return SchemaWriter(.request, model: schemaOfModel).schema(shape)
    }
}
