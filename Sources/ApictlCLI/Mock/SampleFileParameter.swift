import EndpointKit
import EndpointTools

/// A parameter in the name of a sample file, such as `id=550`.
struct SampleFileParameter: Sendable, Hashable {
    /// The name of the parameter that stands for all others if the file's name would be too long. Its value is their
    /// hash: `hash=1f3a…`.
    static let hashName = "hash"

    /// The parameter's flag without its dashes, or its name in help if it has no flag.
    let name: String
    /// The value as text. The elements of an array are separated by commas.
    let text: String

    init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Makes a parameter of a call, with its value in the one spelling in which values are compared.
    ///
    /// For a number, `1.50` becomes `1.5`.
    ///
    /// - Parameters:
    ///   - name: The parameter's flag without its dashes.
    ///   - text: The value. The elements of an array are separated by commas.
    ///   - signature: The parameters of the endpoint with their types. A parameter that is not among them counts as
    ///     text.
    init(name: String, text: String, canonicalFor signature: Signature) {
        let parameter = signature.parameters.first { signature.shownName(of: $0.name) == name }
        let type = parameter?.type ?? .scalar(.string)
        let elements = type.isArray ? text.split(separator: ",", omittingEmptySubsequences: false) : [text[...]]
        let canonicalElements = elements.map { type.canonicalText(String($0)) }
        self.init(name: name, text: canonicalElements.joined(separator: ","))
    }

    /// Returns the parameter that stands for all of `parameters` in the name of a file that would otherwise be too
    /// long: `hash=1f3a…`.
    static func hash(of parameters: [SampleFileParameter]) -> SampleFileParameter {
        let text = parameters.map { "\($0.name)=\($0.text)" }.joined(separator: "&")
        return SampleFileParameter(name: hashName, text: String(text.utf8.hash64, radix: 16))
    }

    /// Returns the parameters that a call has values for, and the query items that choose a page.
    ///
    /// - Parameters:
    ///   - call: The call. If it is nil or its values can't be read, the result has only the query items.
    ///   - declaration: The endpoint, which has the types of the parameters.
    ///   - pageItems: The query items that choose a page.
    static func parameters(
        of call: EndpointCall?, declaration: EndpointDeclaration, pageItems: [QueryItem]
    ) -> [SampleFileParameter] {
        let pageParameters = pageItems.map { SampleFileParameter(name: KebabCase.text($0.name), text: $0.value) }
        // In a filled signature, the example of each parameter is its value in the call.
        guard let call, let signature = try? declaration.signature.filled(from: call) else { return pageParameters }
        let parametersWithValues = signature.parameters.filter { !$0.example.isEmpty }
        let callParameters = parametersWithValues.map { parameter in
            SampleFileParameter(
                name: signature.shownName(of: parameter.name), text: parameter.example.joined(separator: ","),
                canonicalFor: signature)
        }
        return callParameters + pageParameters
    }

    /// Whether the names of recorded files have the parameter. JSON, which is long, and secrets are left out.
    ///
    /// - Parameter signature: The parameters of the endpoint with their types.
    func isRecorded(for signature: Signature) -> Bool {
        let isJSON = signature.parameters.contains { $0.type.isJSON && signature.shownName(of: $0.name) == name }
        return !isJSON && !SecretName.isCredential(name) && !SecretRules.findsSecret(in: text)
    }
}
