import EndpointKit
import EndpointTools
import JSONText

/// A parameter of an endpoint, or a field of a structure in a parameter, as `describe` shows it.
struct ParameterDescription {
    private let parameter: Parameter
    /// The flag with its hyphens, or the name that stands for a parameter without a flag.
    let flag: String
    /// The parts of a request that have the value: `path`, `query`, `header` or `body`.
    let places: [String]
    /// Whether every call must give the parameter. A field of an enum's case is never required, because another case
    /// may be chosen.
    let required: Bool
    /// The name of the optional parameter or field that can't be given without this field; nil if there is none.
    let requiredIn: String?
    /// The text that is sent if the parameter is not given. It may depend on the environment.
    let `default`: String?
    /// The note that the endpoint declares about the parameter.
    let note: String?
    /// The bounds of the value, such as `1 to 500`.
    let bounds: String?
    /// The flags of parameters that can't be given together with this one.
    let excludes: [String]

    /// Describes a parameter or a field of one, with the notes and rules that the endpoint declares about it.
    ///
    /// - Parameters:
    ///   - parameter: The parameter, or a field of it.
    ///   - flag: The flag with its hyphens, or the name that stands for a parameter without a flag.
    ///   - places: The places of all of the endpoint's parameters in a request.
    init(_ parameter: Parameter, flag: String, places: ParameterPlaces) {
        let signature = places.probe.declaration.signature
        let endpoint = places.probe.declaration.endpoint
        self.parameter = parameter
        self.flag = flag
        // A field is sent where the whole parameter is sent, whose name comes first in the path.
        self.places = (places.places[parameter.path[0]] ?? []).map(\.rawValue)

        // A field of an enum's case is not needed, because another case may be chosen. A needed field of an optional
        // structure is required only together with the structure.
        let isNeeded = !parameter.mayBeLeftOut && !parameter.isInCase
        required = isNeeded && parameter.enclosingOptional == nil
        requiredIn = isNeeded ? parameter.enclosingOptional?.last.map(signature.shownName) : nil

        // Notes, defaults and rules of the endpoint name a parameter by this key, such as `pet.name`. Only whole
        // parameters have defaults.
        let key = signature.key(of: parameter.path)
        note = endpoint.notes[key]
        `default` = parameter.path.count == 1 ? places.defaults[key] : nil
        // A rule either limits the values of its parameters, or says that they exclude each other.
        let rules = endpoint.rules.filter { $0.parameters.contains(key) }
        bounds = rules.compactMap(\.bounds).first ?? parameter.type.element.bounds
        let exclusions = rules.filter { $0.bounds == nil }
        let excludedKeys = exclusions.flatMap(\.parameters).filter { $0 != key }
        excludes = excludedKeys.map { excludedKey in
            "--" + signature.flagName(excludedKey.split(separator: ".").map(String.init))
        }
    }

    /// The Swift names of the structures around the parameter, and its own.
    var names: [String] { parameter.path }
    /// The type in words. A case without values is a flag.
    var type: String { parameter.type == .object([]) && parameter.isInCase ? "flag" : parameter.type.shortName }
    /// Whether the flag can be given several times, once for each element.
    var repeats: Bool { parameter.type.takesSeveral }
    /// Whether the parameter is a boolean with a flag, so that `--no-` before its name makes it false.
    var isSwitch: Bool { parameter.type == .scalar(.boolean) && flag.hasPrefix("--") }
    /// The texts that the parameter can have; nil if they are not limited.
    var values: [String]? { parameter.type.element.choices }
    /// The words of an example value, as people type them.
    var example: [String] { parameter.typedExample }
    /// Whether an option of `call` has the same name. This option must then come before the endpoint's name, because
    /// after it the word is the parameter.
    var hidesOption: Bool { flag.hasPrefix("--") && CallOptions.table[String(flag.dropFirst(2))] != nil }

    /// The member of `parameters` in the JSON of `describe --json`.
    var json: JSONObject {
        [
            "flag": flag, "type": type, "required": required, "requiredIn": requiredIn, "repeats": repeats,
            "values": values, "places": places, "example": example, "note": note, "default": `default`,
            "bounds": bounds, "excludes": excludes.nonEmpty, "hidesOption": hidesOption,
        ]
    }

    /// The note about the parameter, and the names of the parameters that exclude it; empty without both.
    ///
    /// For example, `the page, from 1; not with cursor`.
    var remarks: String {
        var remarks: [String] = []
        if let note { remarks.append(note) }
        if !excludes.isEmpty {
            let names = excludes.map { $0.dropFirst("--".count) }
            remarks.append("not with " + names.joined(separator: ", "))
        }
        return remarks.joined(separator: "; ")
    }
}
