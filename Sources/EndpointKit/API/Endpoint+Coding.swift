#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension API {
    /// ``endpoint`` with each date replaced by its text in ``coding``.
    package var resolvedEndpoint: Endpoint { endpoint.resolved(Self.coding) }
}

extension Endpoint {
    fileprivate func resolved(_ coding: Coding) -> Endpoint {
        var copy = self
        copy.path.pieces = path.pieces.map { piece in
            if case .date(let date) = piece { .value(coding.text(of: date)) } else { piece }
        }
        copy.query = query.resolved(coding)
        if case .form(let form)? = body { copy.body = .form(form.resolved(coding)) }
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
