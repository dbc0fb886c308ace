#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension API {
    /// ``endpoint`` with each date replaced by its text in ``coding``, and with the sample from ``samples`` if it has none.
    package var resolvedEndpoint: Endpoint {
        var endpoint = endpoint.resolved(Self.coding)
        if endpoint.sample == nil, let samples = Self.samples, let name = try? caseName {
            endpoint.sample = samples[name]
        }
        return endpoint
    }
}

extension Endpoint {
    fileprivate func resolved(_ coding: Coding) -> Endpoint {
        var copy = self
        copy.path = path.resolved(coding)
        copy.query = query.resolved(coding)
        if case .form(let form)? = body { copy.body = .form(form.resolved(coding)) }
        return copy
    }
}

extension Endpoint.Path {
    /// The path with each date replaced by its text.
    func resolved(_ coding: Coding) -> Endpoint.Path {
        var copy = self
        copy.pieces = pieces.map { piece in
            if case .date(let date) = piece { .value(coding.text(of: date)) } else { piece }
        }
        return copy
    }
}

extension Endpoint.Query {
    fileprivate func resolved(_ coding: Coding) -> Endpoint.Query {
        Endpoint.Query(
            items.map { item in
                QueryItem(
                    item.name,
                    SensitiveText(
                        item.value.pieces.map { piece in
                            if case .date(let date) = piece { .text(coding.text(of: date)) } else { piece }
                        }))
            })
    }
}
