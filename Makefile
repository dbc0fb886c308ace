# make run          build and show a page of popular movies from the embedded sample
# make test         everything that needs no server but its own: lint, unit, wire and README tests, the example package
# make integration  the release binary against httpbin and Prometheus on this machine
# make bench        the release binary beside other tools of its kind; ONLY=start, get, json, http, size or build: that part
# make fuzz         SECONDS=60: hostile bytes through the JSON code, with the address sanitizer watching
# make install      the release binary into PREFIX/bin

PREFIX ?= /usr/local
ARGS ?= call movies.popular --sample
ONLY ?=
SECONDS ?= 60
SOURCES = Package.swift Sources Endpoints Tests

# No package is fetched, the standard library is inside, and what is not used is left out.
RELEASE = -c release --product apictl --static-swift-stdlib
ifeq ($(shell uname -s),Linux)
RELEASE += -Xlinker --gc-sections -Xlinker -s
endif

.PHONY: run build release test lint example integration bench fuzz install clean swift

run: swift
	@swift build --product apictl 1>&2
	@.build/debug/apictl $(ARGS)

build: swift
	swift build

release: swift
	swift build $(RELEASE)

test: lint example
	@command -v curl >/dev/null || { echo "make test needs curl: apt-get install curl" >&2; exit 1; }
	swift test -Xswiftc -warnings-as-errors

lint: swift
	swift format lint --strict --recursive $(SOURCES)

# Another package with its own API, its own command line and an app on top of the libraries.
example: swift
	swift build --package-path Tests/ExamplePackage --scratch-path .build-example
	.build-example/debug/petctl call pets.find --status sold --dry-run | diff Tests/ExamplePackage/petctl.txt -
	.build-example/debug/petapp | diff Tests/ExamplePackage/petapp.txt -

integration: release
	Tests/Integration/run .build/release/apictl

bench: release
	Tests/Benchmarks/run .build/release/apictl $(ONLY)

fuzz: swift
	Tests/Fuzz/run $(SECONDS)

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/apictl "$(DESTDIR)$(PREFIX)/bin/apictl"

clean:
	rm -rf .build .build-*

swift:
	@command -v swift >/dev/null || { echo "make needs Swift 6 or newer: https://www.swift.org/install" >&2; exit 1; }
