# make run          build and show a page of popular movies from the embedded sample
# make test         everything that needs no server but its own: lint, unit, wire and README tests, the example package
# make integration  the release binary against httpbin and Prometheus on this machine
# make bench        the release binary beside other tools of its kind; ONLY=start, get, json, http, coding, requests, size or build: that part
# make fuzz         SECONDS=60: hostile bytes through JSON, redactor, shell text and command lines, with the address sanitizer watching
# make install      the release binary into PREFIX/bin

PREFIX ?= /usr/local
ARGS ?= call movies.popular --sample
ONLY ?=
SECONDS ?= 60
SOURCES = Package.swift Sources Endpoints Tests

# No package is fetched, the standard library is inside, and what is not used is left out. Types are put together by calls
# instead of from their mangled names: for those the runtime searches all conformances, a third of the time of a listing.
RELEASE = -c release --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
ifeq ($(shell uname -s),Linux)
# What is not used and the symbols are left out.
RELEASE += -Xlinker --gc-sections -Xlinker -s -Xlinker --no-export-dynamic -Xswiftc -use-ld=lld
# The program is position-independent: some 42,000 addresses are corrected before it starts, which takes half a millisecond. Packed,
# they make the program 1 MB smaller; glibc reads that form from version 2.36 on.
ifeq ($(shell [ "$$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d. -f2)" -ge 36 ] 2>/dev/null && echo yes),yes)
RELEASE += -Xlinker -z -Xlinker pack-relative-relocs
endif
# Loading and binding the C++ library, of which the Swift runtime uses little, takes a third of what is left. It is linked in if there
# is a static one: a directory that holds no other makes the linker use it.
STATIC = $(CURDIR)/.build/static
LIBSTDCXX = $(shell clang -print-file-name=libstdc++.a 2>/dev/null)
RELEASE += -Xlinker -L$(STATIC) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
endif

.PHONY: run build release test lint example integration bench fuzz install clean swift

run: swift
	@swift build --product apictl 1>&2
	@.build/debug/apictl $(ARGS)

build: swift
	swift build

release: swift
ifeq ($(shell uname -s),Linux)
	@mkdir -p $(STATIC)
	@case "$(LIBSTDCXX)" in /*) ln -sf "$(LIBSTDCXX)" $(STATIC)/libstdc++.a;; esac
endif
	swift build --product apictl $(RELEASE)

test: lint example
	@command -v curl >/dev/null || { echo "make test needs curl: apt-get install curl" >&2; exit 1; }
	swift test -Xswiftc -warnings-as-errors

lint: swift
	swift format lint --strict --recursive $(SOURCES)

# Another package with its own API, its own command line and an app on top of the libraries.
example: swift
	@# The plan of a package does not notice files that come and go in one it depends on by path.
	@rm -f .build-example/*.yaml
	swift build --package-path Tests/ExamplePackage --scratch-path .build-example
	.build-example/debug/petctl call pets.find --status sold --dry-run | diff Tests/ExamplePackage/petctl.txt -
	.build-example/debug/petapp | diff Tests/ExamplePackage/petapp.txt -

integration: release
	Tests/Integration/run .build/release/apictl

bench: release
	RELEASE='$(RELEASE)' Tests/Benchmarks/run .build/release/apictl $(ONLY)

fuzz: swift
	Tests/Fuzz/run $(SECONDS)

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/apictl "$(DESTDIR)$(PREFIX)/bin/apictl"

clean:
	rm -rf .build .build-*

swift:
	@command -v swift >/dev/null || { echo "make needs Swift 6 or newer: https://www.swift.org/install" >&2; exit 1; }
