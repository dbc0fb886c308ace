import ApictlCLI
import CurlTransport
import Pets

Apictl.main(apis: [Pets.self, Clinic.self, Shelter.self], tool: "petctl", version: "1.0") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
