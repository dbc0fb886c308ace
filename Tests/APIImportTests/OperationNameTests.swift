import JSONText
import Testing

@testable import APIImport

/// Names of cases, parameters and models, with identifiers as real documents have them.
@Suite struct OperationNameTests {
    /// The identifier, method, path and tag of an operation, and its name.
    struct Row: Sendable, CustomTestStringConvertible {
        let id: String?
        let method: String
        let path: String
        let group: String
        let name: String

        init(_ id: String?, _ method: String, _ path: String, _ group: String, _ name: String) {
            self.id = id
            self.method = method
            self.path = path
            self.group = group
            self.name = name
        }

        var testDescription: String { "\(id ?? "-") \(method) \(path)" }

        var subject: OperationNames.Subject {
            OperationNames.Subject(id: id, method: method, path: path, group: SwiftNames.words(group))
        }
    }

    @Test(arguments: [
        // FastAPI: the name of the function, followed by path and method.
        Row("read_api_api_books__book_id__get", "GET", "/api/books/{book_id}", "books", "readAPI"),
        Row("read_users_me_users_me_get", "GET", "/users/me", "users", "readMe"),
        Row("create_item_items__post", "POST", "/items/", "items", "create"),
        Row("list_orders_orders_get", "GET", "/orders", "orders", "list"),
        // NSwag: the controller, followed by the action.
        Row("Pets_FindAll", "GET", "/pets", "Pets", "findAll"), Row("Pets_Get", "GET", "/pets/{id}", "Pets", "get"),
        Row("Orders_GetByCustomer", "GET", "/orders/by/{c}", "Orders", "getByCustomer"),
        // Spring.
        Row("getPetUsingGET", "GET", "/pets/{id}", "pets", "get"),
        Row("updatePetUsingPUT_1", "PUT", "/pets/{id}", "pets", "update"),
        Row("findByNameUsingGET", "GET", "/owners/name/{n}", "owners", "findByName"),
        // Kubernetes: the verb, the group with its version, and the kind.
        Row("listCoreV1NamespacedPod", "GET", "/api/v1/namespaces/{ns}/pods", "core_v1", "listNamespacedPod"),
        Row("readCoreV1NamespacedPodLog", "GET", "/api/v1/pods/{n}/log", "core_v1", "readNamespacedPodLog"),
        Row("connectCoreV1GetNodeProxy", "GET", "/api/v1/nodes/{n}/proxy", "core_v1", "connectGetNodeProxy"),
        // Dots and slashes.
        Row("repos/list-for-user", "GET", "/users/{u}/repos", "repos", "listForUser"),
        Row("issues/get", "GET", "/repos/{o}/{r}/issues/{n}", "issues", "get"),
        Row("compute.instances.list", "GET", "/instances", "instances", "computeList"),
        Row("users.profile.set", "POST", "/users.profile.set", "users.profile", "set"),
        // No identifier, or one that only repeats method and path.
        Row(nil, "GET", "/api/v3/config/host", "HostConfig", "getConfigHost"),
        Row(nil, "GET", "/pets", "pets", "list"), Row(nil, "GET", "/pets/{id}", "pets", "get"),
        Row(nil, "POST", "/pets", "pets", "create"), Row(nil, "DELETE", "/buckets", "buckets", "delete"),
        Row(nil, "POST", "/pets/{id}/toys", "pets", "createToy"),
        Row(nil, "POST", "/repos/{id}/merge", "repos", "merge"),
        Row(nil, "GET", "/accounts/verify_credentials", "accounts", "verifyCredentials"),
        Row("patchAccountsUpdateCredentials", "PATCH", "/accounts/update_credentials", "accounts", "updateCredentials"),
        Row("getApiPets", "GET", "/api/pets", "pets", "list"),
        // Whole words.
        Row(
            "getAnalyticsMetricsIncidentsEscalationPolicyAll", "GET", "/x", "t",
            "getAnalyticsMetricsIncidentsEscalationPolicyAll"
        ),
    ])
    func cases(row: Row) {
        #expect(SwiftNames.memberName(OperationNames.words(of: row.subject)) == row.name)
    }

    /// Operations with the same short name have long ones.
    @Test(arguments: [
        Row(nil, "GET", "/api/v3/config/host/{id}", "HostConfig", "getConfigHostByID"),
        Row(nil, "GET", "/api/v3/config/host", "HostConfig", "getConfigHost"),
        Row(nil, "DELETE", "/pets/{id}", "pets", "deleteByID"),
        Row(nil, "POST", "/auth/{a_mount}/login", "t", "loginAuthByAMount"),
        Row("Pets_Get", "GET", "/pets/{id}", "Pets", "petsGet"),
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
