import ApictlCLI
import CurlTransport
import Todos

Apictl.main(apis: [Todos.self], tool: "todo", version: "1.0") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
