import EndpointKit
import EndpointTools
import Endpoints
import JSONText
import Testing

/// The shapes of the catalogue's models: the keys that they read, with types.
@Suite struct ShapeTableTests {
    @Test(arguments: outlines) func aModelHasItsOutline(_ name: String, _ outline: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        #expect(declaration.responseShape?.outline == outline + "\n")
    }

    /// The shape has each key of a sample and of its changed copies, except for those that the survey reports.
    @Test(arguments: Catalogue.declarations.filter { $0.endpoint.response.kind == .json }.map(\.name))
    func theShapeHasAllKeysButThoseReported(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        let sample = try #require(declaration.endpoint.sample).bytes
        let shape = try #require(declaration.responseShape)
        #expect(shape.unknownKeys(in: try JSONValue(text: sample)) == [])
        for text in try [sample] + SampleMutations(sample, shape).mutations.map(\.text) {
            let (model, coding) = (declaration.endpoint.response.model, declaration.api.coding)
            let survey = try ResponseComparison.compare(JSONDocument(text), as: model, coding: coding)
            let reported = Set(survey.problems.filter { $0.kind == .unexpectedKey }.map(\.path))
            if survey.fits { #expect(shape.unknownKeys(in: try JSONValue(text: text)) == reported) }
        }
    }

    /// The outlines of models with a particular shape.
    ///
    /// They have a model that occurs twice, generic models, dictionaries, unions, and any JSON.
    private static let outlines: [(endpoint: String, outline: String)] = [
        (
            "places.nearby",
            """
            PlacePage
              status                   string
              html_attributions        [string], optional
              next_page_token          string, optional
              results                  [Place], optional
                business_status        string, optional
                geometry               Geometry, optional
                  location             Coordinate
                    lat                number
                    lng                number
                  viewport             Viewport, optional
                    northeast          Coordinate
                    southwest          Coordinate
                icon                   string, optional
                icon_background_color  string, optional
                icon_mask_base_uri     string, optional
                name                   string
                opening_hours          OpeningHours, optional
                  open_now             boolean, optional
                photos                 [Photo], optional
                  height               integer, optional
                  html_attributions    [string], optional
                  photo_reference      string, optional
                  width                integer, optional
                place_id               string
                plus_code              PlusCode, optional
                  compound_code        string, optional
                  global_code          string, optional
                price_level            integer, optional
                rating                 number, optional
                reference              string, optional
                scope                  string, optional
                types                  [string], optional
                user_ratings_total     integer, optional
                vicinity               string, optional
                permanently_closed     boolean, optional
              error_message            string, optional
            """
        ),
        (
            "marvel.characters",
            """
            CharacterResponse
              code                 integer
              status               string
              copyright            string, optional
              attributionText      string, optional
              attributionHTML      string, optional
              etag                 string, optional
              data                 Page
                offset             integer, optional
                limit              integer, optional
                total              integer, optional
                count              integer, optional
                results            [MarvelCharacter]
                  id               integer
                  name             string
                  description      string, optional
                  modified         string, optional
                  thumbnail        Image, optional
                    path           string, optional
                    extension      string, optional
                  resourceURI      string, optional
                  comics           ResourceList, optional
                    available      integer, optional
                    collectionURI  string, optional
                    items          [Item]
                      resourceURI  string, optional
                      name         string
                      type         string, optional
                    returned       integer, optional
                  series           ResourceList, optional
                  stories          ResourceList, optional
                  events           ResourceList, optional
                  urls             [Link], optional
                    type           string, optional
                    url            string, optional
            """
        ),
        (
            "github.rate-limit",
            """
            RateLimit
              resources    [string: Allowance]
                limit      integer
                remaining  integer
                reset      integer
                used       integer, optional
              rate         Allowance, optional
            """
        ),
        (
            "prometheus.query",
            """
            PrometheusResponse<QueryData>
              status          string
              data            QueryData
                resultType    string
                result        [Series]
                  metric      [string: string]
                  value       [number or string], optional
                  values      [[number or string]], optional
                  histogram   any JSON, optional
                  histograms  [any JSON], optional
              errorType       string, optional
              error           string, optional
              warnings        [string], optional
              infos           [string], optional
            """
        ),
        (
            "prometheus.series",
            """
            PrometheusResponse<[[String: String]]>
              status     string
              data       [[string: string]]
              errorType  string, optional
              error      string, optional
              warnings   [string], optional
              infos      [string], optional
            """
        ),
        (
            "httpbin.get",
            """
            Echo
              args     [string: any JSON]
              data     string, optional
              files    [string: any JSON], optional
              form     [string: any JSON], optional
              headers  [string: string]
              json     any JSON, optional
              method   string, optional
              origin   string
              url      string
            """
        ),
        (
            "httpbin.response-headers",
            """
            any JSON
            """
        ),
    ]
}
