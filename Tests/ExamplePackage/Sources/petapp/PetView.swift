import EndpointKit
import Pets
import Views

/// A view beside the endpoints: their module takes none of the names that an app's frameworks have.
struct PetView {
    @Environment var locale = "en"
    @Query var pets: [Pet] = []
    var outline = Path()
    var action: Method?
}
