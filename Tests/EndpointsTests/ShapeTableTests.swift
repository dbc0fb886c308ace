import EndpointKit
import Endpoints
import JSONText
import Testing

/// What every model of the catalogue reads.
@Suite struct ShapeTableTests {
    @Test(arguments: outlines) func isDescribed(_ names: [String], _ outline: String) throws {
        for name in names {
            let declaration = try #require(Catalogue.declaration(name))
            #expect(declaration.responseShape?.outline == outline + "\n")
        }
    }

    @Test func tableIsComplete() {
        let named = Self.outlines.flatMap(\.0)
        #expect(Set(named) == Set(Catalogue.declarations.filter { $0.endpoint.response.kind == .json }.map(\.name)))
    }

    /// Each key of a sample, and of one with a key added or moved, is in the shape, or the survey reports it.
    @Test(arguments: outlines.flatMap(\.0)) func hasAllKeysButThoseReported(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        let sample = try #require(declaration.endpoint.sample).bytes
        let shape = try #require(declaration.responseShape)
        #expect(shape.unknownKeys(in: try JSONValue(text: sample)) == [])
        for text in try [sample] + SampleMutations(sample, shape).mutations.map(\.text) {
            let survey = try declaration.endpoint.response.survey(JSONDocument(text), coding: declaration.api.coding)
            let reported = Set(survey.problems.filter { $0.kind == .unexpectedKey }.map(\.path))
            if survey.fits { #expect(shape.unknownKeys(in: try JSONValue(text: text)) == reported) }
        }
    }

    private static let outlines: [([String], String)] = [
        (
            ["movies.popular", "movies.new-movies", "movies.recommended"],
            """
            MoviePage
              dates                DateRange, optional
                maximum            string
                minimum            string
              page                 integer
              results              [Movie]
                adult              boolean, optional
                backdrop_path      string, optional
                genre_ids          [integer], optional
                id                 integer
                original_language  string, optional
                original_title     string, optional
                overview           string, optional
                popularity         number, optional
                poster_path        string, optional
                release_date       string, optional
                title              string
                video              boolean, optional
                vote_average       number, optional
                vote_count         integer, optional
                media_type         string, optional
              total_pages          integer, optional
              total_results        integer, optional
            """
        ),
        (
            ["movies.video"],
            """
            VideoList
              id              integer
              results         [Video]
                iso_639_1     string, optional
                iso_3166_1    string, optional
                name          string
                key           string
                site          string, optional
                size          integer, optional
                type          string, optional
                official      boolean, optional
                published_at  string, optional
                id            string
            """
        ),
        (
            ["places.nearby"],
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
            ["narcos.narcs"],
            """
            Narc
              id        string
              name      string
              alias     string, optional
              cartel    string
              born      string, optional
              died      string, optional
              captured  boolean
              seasons   [integer]
            """
        ),
        (
            ["narcos.police"],
            """
            PolicePage
              results        [Officer]
                id           integer
                name         string
                agency       string
                rank         string, optional
                seasons      [integer]
              total_results  integer
            """
        ),
        (
            ["marvel.characters", "marvel.character"],
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
            ["shopify.custom-collections"],
            """
            CustomCollectionList
              custom_collections      [CustomCollection]
                id                    integer
                handle                string, optional
                title                 string
                updated_at            string, optional
                body_html             string, optional
                published_at          string, optional
                sort_order            string, optional
                template_suffix       string, optional
                published_scope       string, optional
                admin_graphql_api_id  string, optional
                image                 Image, optional
                  created_at          string, optional
                  alt                 string, optional
                  width               integer, optional
                  height              integer, optional
                  src                 string, optional
            """
        ),
        (
            ["shopify.collects"],
            """
            CollectList
              collects         [Collect]
                id             integer
                collection_id  integer, optional
                product_id     integer, optional
                created_at     string, optional
                updated_at     string, optional
                position       integer, optional
                sort_value     string, optional
            """
        ),
        (
            ["shopify.products"],
            """
            ProductList
              products                    [Product]
                id                        integer
                title                     string
                body_html                 string, optional
                vendor                    string, optional
                product_type              string, optional
                created_at                string, optional
                handle                    string, optional
                updated_at                string, optional
                published_at              string, optional
                template_suffix           string, optional
                published_scope           string, optional
                tags                      string, optional
                admin_graphql_api_id      string, optional
                variants                  [ProductVariant], optional
                  id                      integer
                  product_id              integer, optional
                  title                   string
                  price                   string
                  sku                     string, optional
                  position                integer, optional
                  inventory_policy        string, optional
                  compare_at_price        string, optional
                  fulfillment_service     string, optional
                  inventory_management    string, optional
                  option1                 string, optional
                  option2                 string, optional
                  option3                 string, optional
                  created_at              string, optional
                  updated_at              string, optional
                  taxable                 boolean, optional
                  barcode                 string, optional
                  grams                   integer, optional
                  image_id                integer, optional
                  weight                  number, optional
                  weight_unit             string, optional
                  inventory_item_id       integer, optional
                  inventory_quantity      integer, optional
                  old_inventory_quantity  integer, optional
                  requires_shipping       boolean, optional
                  admin_graphql_api_id    string, optional
                options                   [Option], optional
                  id                      integer
                  product_id              integer, optional
                  name                    string
                  position                integer, optional
                  values                  [string], optional
                images                    [ProductImage], optional
                  id                      integer
                  product_id              integer, optional
                  position                integer, optional
                  created_at              string, optional
                  updated_at              string, optional
                  alt                     string, optional
                  width                   integer, optional
                  height                  integer, optional
                  src                     string, optional
                  variant_ids             [integer], optional
                  admin_graphql_api_id    string, optional
                image                     ProductImage, optional
            """
        ),
        (
            ["github.repository"],
            """
            Repository
              id                           integer
              node_id                      string, optional
              name                         string
              full_name                    string, optional
              private                      boolean, optional
              owner                        Account, optional
                login                      string
                id                         integer
                node_id                    string, optional
                avatar_url                 string, optional
                gravatar_id                string, optional
                url                        string, optional
                html_url                   string, optional
                type                       string, optional
                site_admin                 boolean, optional
              html_url                     string, optional
              description                  string, optional
              fork                         boolean, optional
              url                          string, optional
              created_at                   date, optional
              updated_at                   date, optional
              pushed_at                    date, optional
              clone_url                    string, optional
              homepage                     string, optional
              size                         integer, optional
              stargazers_count             integer, optional
              watchers_count               integer, optional
              language                     string, optional
              has_issues                   boolean, optional
              has_projects                 boolean, optional
              has_downloads                boolean, optional
              has_wiki                     boolean, optional
              has_pages                    boolean, optional
              has_discussions              boolean, optional
              forks_count                  integer, optional
              mirror_url                   string, optional
              archived                     boolean, optional
              disabled                     boolean, optional
              open_issues_count            integer, optional
              license                      License, optional
                key                        string
                name                       string
                spdx_id                    string, optional
                url                        string, optional
                node_id                    string, optional
              allow_forking                boolean, optional
              is_template                  boolean, optional
              web_commit_signoff_required  boolean, optional
              topics                       [string], optional
              visibility                   string, optional
              forks                        integer, optional
              open_issues                  integer, optional
              watchers                     integer, optional
              default_branch               string, optional
              network_count                integer, optional
              subscribers_count            integer, optional
              score                        number, optional
            """
        ),
        (
            ["github.issues"],
            """
            [Issue]
              url                 string, optional
              repository_url      string, optional
              html_url            string, optional
              id                  integer
              node_id             string, optional
              number              integer
              title               string
              user                Account, optional
                login             string
                id                integer
                node_id           string, optional
                avatar_url        string, optional
                gravatar_id       string, optional
                url               string, optional
                html_url          string, optional
                type              string, optional
                site_admin        boolean, optional
              labels              [IssueLabel], optional
                id                integer
                node_id           string, optional
                url               string, optional
                name              string
                description       string, optional
                color             string, optional
                default           boolean, optional
              state               string, optional
              locked              boolean, optional
              assignee            Account, optional
              assignees           [Account], optional
              milestone           Milestone, optional
                url               string, optional
                html_url          string, optional
                id                integer
                number            integer
                title             string
                description       string, optional
                state             string, optional
                open_issues       integer, optional
                closed_issues     integer, optional
                created_at        date, optional
                updated_at        date, optional
                due_on            date, optional
                closed_at         date, optional
              comments            integer, optional
              created_at          date, optional
              updated_at          date, optional
              closed_at           date, optional
              author_association  string, optional
              active_lock_reason  string, optional
              draft               boolean, optional
              pull_request        PullRequestLinks, optional
                url               string, optional
                html_url          string, optional
                diff_url          string, optional
                patch_url         string, optional
                merged_at         date, optional
              body                string, optional
              state_reason        string, optional
            """
        ),
        (
            ["github.user"],
            """
            User
              login             string
              id                integer
              node_id           string, optional
              avatar_url        string, optional
              gravatar_id       string, optional
              url               string, optional
              html_url          string, optional
              type              string, optional
              site_admin        boolean, optional
              name              string, optional
              company           string, optional
              blog              string, optional
              location          string, optional
              email             string, optional
              hireable          boolean, optional
              bio               string, optional
              twitter_username  string, optional
              public_repos      integer, optional
              public_gists      integer, optional
              followers         integer, optional
              following         integer, optional
              created_at        date, optional
              updated_at        date, optional
            """
        ),
        (
            ["github.search-repositories"],
            """
            RepositorySearch
              total_count                    integer
              incomplete_results             boolean
              items                          [Repository]
                id                           integer
                node_id                      string, optional
                name                         string
                full_name                    string, optional
                private                      boolean, optional
                owner                        Account, optional
                  login                      string
                  id                         integer
                  node_id                    string, optional
                  avatar_url                 string, optional
                  gravatar_id                string, optional
                  url                        string, optional
                  html_url                   string, optional
                  type                       string, optional
                  site_admin                 boolean, optional
                html_url                     string, optional
                description                  string, optional
                fork                         boolean, optional
                url                          string, optional
                created_at                   date, optional
                updated_at                   date, optional
                pushed_at                    date, optional
                clone_url                    string, optional
                homepage                     string, optional
                size                         integer, optional
                stargazers_count             integer, optional
                watchers_count               integer, optional
                language                     string, optional
                has_issues                   boolean, optional
                has_projects                 boolean, optional
                has_downloads                boolean, optional
                has_wiki                     boolean, optional
                has_pages                    boolean, optional
                has_discussions              boolean, optional
                forks_count                  integer, optional
                mirror_url                   string, optional
                archived                     boolean, optional
                disabled                     boolean, optional
                open_issues_count            integer, optional
                license                      License, optional
                  key                        string
                  name                       string
                  spdx_id                    string, optional
                  url                        string, optional
                  node_id                    string, optional
                allow_forking                boolean, optional
                is_template                  boolean, optional
                web_commit_signoff_required  boolean, optional
                topics                       [string], optional
                visibility                   string, optional
                forks                        integer, optional
                open_issues                  integer, optional
                watchers                     integer, optional
                default_branch               string, optional
                network_count                integer, optional
                subscribers_count            integer, optional
                score                        number, optional
            """
        ),
        (
            ["github.rate-limit"],
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
            ["prometheus.query", "prometheus.query-range"],
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
            ["prometheus.labels"],
            """
            PrometheusResponse<[String]>
              status     string
              data       [string]
              errorType  string, optional
              error      string, optional
              warnings   [string], optional
              infos      [string], optional
            """
        ),
        (
            ["prometheus.series"],
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
            ["prometheus.targets"],
            """
            PrometheusResponse<TargetData>
              status                  string
              data                    TargetData
                activeTargets         [Target]
                  discoveredLabels    [string: string]
                  labels              [string: string]
                  scrapePool          string
                  scrapeUrl           string
                  globalUrl           string, optional
                  lastError           string
                  lastScrape          string
                  lastScrapeDuration  number
                  health              string
                  scrapeInterval      string, optional
                  scrapeTimeout       string, optional
                droppedTargets        [DroppedTarget]
                  discoveredLabels    [string: string]
                droppedTargetCounts   [string: integer], optional
              errorType               string, optional
              error                   string, optional
              warnings                [string], optional
              infos                   [string], optional
            """
        ),
        (
            [
                "httpbin.get", "httpbin.post", "httpbin.put", "httpbin.patch", "httpbin.delete", "httpbin.form",
                "httpbin.multipart", "httpbin.data", "httpbin.anything", "httpbin.redirect",
                "httpbin.relative-redirect", "httpbin.absolute-redirect", "httpbin.delay", "httpbin.cache",
                "httpbin.cache-for", "httpbin.etag",
            ],
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
            ["httpbin.headers"],
            """
            HeadersResponse
              headers  [string: string]
            """
        ),
        (
            ["httpbin.response-headers"],
            """
            any JSON
            """
        ),
        (
            ["httpbin.ip"],
            """
            OriginResponse
              origin  string
            """
        ),
        (
            ["httpbin.user-agent"],
            """
            UserAgentResponse
              user-agent  string, optional
            """
        ),
        (
            ["httpbin.basic-auth", "httpbin.bearer"],
            """
            AuthResponse
              authenticated  boolean
              token          string, optional
              user           string, optional
            """
        ),
        (
            ["httpbin.gzip", "httpbin.deflate", "httpbin.brotli"],
            """
            EncodingResponse
              brotli    boolean, optional
              deflated  boolean, optional
              gzipped   boolean, optional
              headers   [string: string]
              method    string
              origin    string
            """
        ),
        (
            ["httpbin.cookies", "httpbin.set-cookies"],
            """
            CookiesResponse
              cookies  [string: string]
            """
        ),
        (
            ["httpbin.uuid"],
            """
            UUIDResponse
              uuid  string
            """
        ),
        (
            ["httpbin.json"],
            """
            SlideshowResponse
              slideshow  Slideshow
                author   string
                date     string
                slides   [Slide]
                  items  [string], optional
                  title  string
                  type   string
                title    string
            """
        ),
    ]
}
