import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

extension EndpointDescription {
    /// The response with its fields in a few lines, which start with `Returns`.
    var outline: String {
        let list = endpoint.pages != nil ? "one page of a list: " : ""
        return "Returns \(list)\(responseShape?.outline ?? returns)".trimmingLineBreaks
    }

    /// Returns the JSON Schema of a tool's arguments: the endpoint's parameters, and other arguments.
    ///
    /// - Parameter others: The names and schemas of the other arguments. A parameter of the same name replaces one.
    func inputSchema(_ others: JSONMembers) -> JSONValue {
        let shape = (try? declaration.parameterShape()) ?? ModelShape(root: .object([]), models: [])
        let fields = shape.directFields(of: shape.root)
        var properties: JSONMembers = []
        var required: [String] = []
        for field in fields {
            let name = declaration.argumentName(field.key)
            let parameter = parameters.first { $0.names == [field.key] }
            properties.append((name, schema(of: field, parameter, shape)))
            if parameter?.required == true { required.append(name) }
        }
        let names = Set(properties.map(\.0))
        properties += others.filter { !names.contains($0.0) }
        return .object(properties, required: required)
    }

    /// Returns the schema of a parameter, with the remarks about it as its description.
    private func schema(
        of field: Shape.Field, _ parameter: ParameterDescription?, _ shape: ModelShape
    ) -> JSONValue {
        var schema = SchemaWriter.inlined(field.shape, shape).pairs
        if let remarks = parameter?.remarks.safeForModels.nonEmpty {
            schema.append(("description", JSONValue(remarks)))
        }
        return JSONValue(schema)
    }
}

extension EndpointDeclaration {
    /// Returns the name of a parameter as the argument of a tool, in snake case. A parameter without a label is called
    /// after its type.
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
    /// The most models in one another that are written out. A deeper one becomes any object.
    private static let maxInlinedModels = 6

    /// Returns the schema of a parameter's shape, with each model written out where it is used.
    ///
    /// A model that contains itself, or that is nested deeply, becomes any object there.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - models: The models that the shape names.
    ///   - enclosingModels: The names of the models that the shape is in.
    static func inlined(_ shape: Shape, _ models: ModelShape, in enclosingModels: [String] = []) -> JSONValue {
        let writer = SchemaWriter(
            .request,
            model: { name in
                guard enclosingModels.count < maxInlinedModels, !enclosingModels.contains(name),
                    let model = models.model(name)
                else { return [("type", "object")] }
                return inlined(model.shape, models, in: enclosingModels + [name]).pairs
            })
        return writer.schema(shape)
    }
}
