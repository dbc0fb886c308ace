import ApictlCLI
import CurlTransport
import Pets

Apictl.main(apis: [Pets.self], tool: "petctl") { _ in CurlTransport() }
