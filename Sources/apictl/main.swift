import ApictlCLI
import CurlTransport
import Endpoints

Apictl.main(apis: Catalogue.apis) { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
