import ApictlCLI
import CurlTransport
import Pets

await Apictl.main(apis: [Pets.self], tool: "petctl") { _ in CurlTransport() }
