import ApictlCLI
import CurlTransport
import Movies

Apictl.main(apis: [Movies.self], tool: "moviectl", version: "1.0") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
