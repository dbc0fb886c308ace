import JSONText
import Testing

@testable import APIImport

/// Names of cases, parameters and models, with identifiers as real documents have them.
@Suite struct OperationNameTests {
    /// An operation of a document, and the name of its case.
    struct Row: Sendable, CustomTestStringConvertible {
        /// The operation ID, or nil if the document has none.
        let id: String?
        let method: String
        let path: String
        /// The tag of the operation, after which its enum is named.
        let group: String
        let name: String

        var testDescription: String { "\(id ?? "-") \(method) \(path)" }

        var subject: OperationNames.Subject {
            OperationNames.Subject(id: id, method: method, path: path, group: SwiftNames.words(group))
        }
    }

    @Test(arguments: [
        // FastAPI: the name of the function, followed by path and method.
        Row(
            id: "read_api_api_books__book_id__get", method: "GET", path: "/api/books/{book_id}", group: "books",
            name: "readAPI"),
        Row(id: "read_users_me_users_me_get", method: "GET", path: "/users/me", group: "users", name: "readMe"),
        Row(id: "create_item_items__post", method: "POST", path: "/items/", group: "items", name: "create"),
        Row(id: "list_orders_orders_get", method: "GET", path: "/orders", group: "orders", name: "list"),
        // NSwag: the controller, followed by the action.
        Row(id: "Pets_FindAll", method: "GET", path: "/pets", group: "Pets", name: "findAll"),
        Row(id: "Pets_Get", method: "GET", path: "/pets/{id}", group: "Pets", name: "get"),
        Row(id: "Orders_GetByCustomer", method: "GET", path: "/orders/by/{c}", group: "Orders", name: "getByCustomer"),
        // Spring.
        Row(id: "getPetUsingGET", method: "GET", path: "/pets/{id}", group: "pets", name: "get"),
        Row(id: "updatePetUsingPUT_1", method: "PUT", path: "/pets/{id}", group: "pets", name: "update"),
        Row(id: "findByNameUsingGET", method: "GET", path: "/owners/name/{n}", group: "owners", name: "findByName"),
        // Kubernetes: the verb, the group with its version, and the kind.
        Row(
            id: "listCoreV1NamespacedPod", method: "GET", path: "/api/v1/namespaces/{ns}/pods", group: "core_v1",
            name: "listNamespacedPod"),
        Row(
            id: "readCoreV1NamespacedPodLog", method: "GET", path: "/api/v1/pods/{n}/log", group: "core_v1",
            name: "readNamespacedPodLog"),
        Row(
            id: "connectCoreV1GetNodeProxy", method: "GET", path: "/api/v1/nodes/{n}/proxy", group: "core_v1",
            name: "connectGetNodeProxy"),
        // Dots and slashes.
        Row(id: "repos/list-for-user", method: "GET", path: "/users/{u}/repos", group: "repos", name: "listForUser"),
        Row(id: "issues/get", method: "GET", path: "/repos/{o}/{r}/issues/{n}", group: "issues", name: "get"),
        Row(id: "compute.instances.list", method: "GET", path: "/instances", group: "instances", name: "computeList"),
        Row(id: "users.profile.set", method: "POST", path: "/users.profile.set", group: "users.profile", name: "set"),
        // No identifier, or one that only repeats method and path.
        Row(id: nil, method: "GET", path: "/api/v3/config/host", group: "HostConfig", name: "getConfigHost"),
        Row(id: nil, method: "GET", path: "/pets", group: "pets", name: "list"),
        Row(id: nil, method: "GET", path: "/pets/{id}", group: "pets", name: "get"),
        Row(id: nil, method: "POST", path: "/pets", group: "pets", name: "create"),
        Row(id: nil, method: "DELETE", path: "/buckets", group: "buckets", name: "delete"),
        Row(id: nil, method: "POST", path: "/pets/{id}/toys", group: "pets", name: "createToy"),
        Row(id: nil, method: "POST", path: "/repos/{id}/merge", group: "repos", name: "merge"),
        Row(id: nil, method: "GET", path: "/accounts/verify_credentials", group: "accounts", name: "verifyCredentials"),
        Row(
            id: "patchAccountsUpdateCredentials", method: "PATCH", path: "/accounts/update_credentials",
            group: "accounts", name: "updateCredentials"),
        Row(id: "getApiPets", method: "GET", path: "/api/pets", group: "pets", name: "list"),
        // Whole words.
        Row(
            id: "getAnalyticsMetricsIncidentsEscalationPolicyAll", method: "GET", path: "/x", group: "t",
            name: "getAnalyticsMetricsIncidentsEscalationPolicyAll"),
    ])
    func cases(row: Row) {
        #expect(SwiftNames.memberName(OperationNames.words(of: row.subject)) == row.name)
    }

    /// Operations with the same short name have long ones.
    @Test(arguments: [
        Row(id: nil, method: "GET", path: "/api/v3/config/host/{id}", group: "HostConfig", name: "getConfigHostByID"),
        Row(id: nil, method: "GET", path: "/api/v3/config/host", group: "HostConfig", name: "getConfigHost"),
        Row(id: nil, method: "DELETE", path: "/pets/{id}", group: "pets", name: "deleteByID"),
        Row(id: nil, method: "POST", path: "/auth/{a_mount}/login", group: "t", name: "loginAuthByAMount"),
        Row(id: "Pets_Get", method: "GET", path: "/pets/{id}", group: "Pets", name: "petsGet"),
    ])
    func longNames(row: Row) {
        #expect(SwiftNames.memberName(OperationNames.longWords(of: row.subject)) == row.name)
    }

    /// Two operations that differ by one path variable.
    @Test func operationsThatDifferByAVariable() throws {
        let document = SmallDocument.text(
            #""/hosts": {"get": {}}, "/hosts/{id}": {"get": {}}, "/hosts/{name}": {"get": {}}"#)
        let names = try SmallDocument.imported(document).endpoints.map(\.name)
        #expect(names == ["shop.hosts.list", "shop.hosts.get-by-id", "shop.hosts.get-by-name"])
    }

    /// Words of several languages.
    @Test(arguments: [
        ("Größe", "grosse"), ("größe_in_cm", "grosseInCm"), ("Straße", "strasse"),
        ("año_de_nacimiento", "anoDeNacimiento"),
        ("niño", "nino"), ("prénom", "prenom"), ("Œuvre", "oeuvre"), ("naïve", "naive"), ("façade", "facade"),
        ("e\u{301}te\u{301}", "ete"),
        ("名前", "value"), ("ID番号", "id"), ("Łódź", "lodz"), ("smørrebrød", "smorrebrod"),
    ])
    func languages(key: String, name: String) {
        #expect(SwiftNames.memberName(SwiftNames.words(key)) == name)
    }

    /// Keys of lists, and the words of their elements.
    @Test(arguments: [
        ("identities", "identity"), ("statuses", "status"), ("data", "data"), ("metadata", "metadata"),
        ("media", "media"), ("addresses", "address"), ("canvases", "canvas"), ("series", "series"),
        ("analyses", "analysis"), ("children", "child"), ("leaves", "leaf"), ("caches", "cache"),
    ])
    func singulars(list: String, element: String) { #expect(SwiftNames.singular([list]) == [element]) }

    /// Parameters with one name have their places in front.
    @Test func parametersWithOneName() throws {
        let parameters = ["path", "query", "header"].map { place in
            #"{"name": "id", "in": "\#(place)", "required": true, "schema": {"type": "string"}}"#
        }
        let document = SmallDocument.text(
            #""/pets/{id}": {"get": {"operationId": "find", "parameters": [\#(parameters.joined(separator: ", "))]}}"#)
        let text = try SmallDocument.imported(document).text("Pets.swift")
        #expect(text.contains("case find(id: String, queryID: String, headerID: String)"), "\(text)")
    }

    /// A body has a label if one of its fields has the name of a parameter, so that both can be given.
    @Test(arguments: [("id", "body: "), ("name", "")])
    func bodiesWithTheFieldOfAParameter(key: String, label: String) throws {
        let operation = SmallDocument.sending(#"{"properties": {"\#(key)": {"type": "string"}}}"#)
        let document = SmallDocument.text(#""/pets/{id}": {"put": \#(operation)}"#)
        let text = try SmallDocument.imported(document).text("Pets.swift")
        #expect(text.contains("case update(id: String, \(label)UpdatePet)"), "\(text)")
    }
}
