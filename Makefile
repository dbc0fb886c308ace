# make run          build and print a page of popular movies from the embedded sample
# make test         all tests that need Swift, libyaml, jq and fzf alone: lint, unit and wire tests, the text and code of README and articles, the example packages
# make integration  the release binary against real servers on this machine, and printed commands in shells; installs what it needs, or names it
# make bench        the release binary compared with similar tools; ONLY=PART runs one part: start, get, https, json, http, coding, requests, check, mock, size, build
# make fuzz         fuzzing of JSON, redactor, shell text, command lines and responses with the address sanitizer; SECONDS=60 sets the duration
# make dist         an archive of the same files for machines of this kind with an older Linux, in .build/dist
# make install      installs the release binary in PREFIX/bin, completion for bash, zsh and fish, and the manual page

PREFIX ?= /usr/local
SHARE = $(PREFIX)/share
ARGS ?= call movies.popular --sample
ONLY ?=
SECONDS ?= 60
SOURCES = Package.swift Sources Endpoints Tests

# The Swift libraries are linked statically. Type metadata is accessed by calls instead of by mangled names, for which the runtime
# searches all conformances: a third of the time of `list`. Debug information, which would be stripped, is not made.
RELEASE = -c release --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -gnone \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
ifeq ($(shell uname -s),Linux)
# Unused sections and symbols are removed.
RELEASE += -Xlinker --gc-sections -Xlinker -s -Xlinker --no-export-dynamic -Xswiftc -use-ld=lld
# The program is position-independent: some 42,000 relative relocations are applied before it starts, which takes half a millisecond.
# Packed relative relocations (DT_RELR) make it 1 MB smaller; glibc supports them from version 2.36 on.
# A program that is distributed (PORTABLE) also runs with older versions.
ifeq ($(PORTABLE)$(shell [ "$$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d. -f2)" -ge 36 ] 2>/dev/null && echo yes),yes)
RELEASE += -Xlinker -z -Xlinker pack-relative-relocs
endif
# Loading the C++ library, of which the Swift runtime uses little, would take a third of the remaining start time. It is linked statically
# if possible: a directory with only the static library makes the linker use that.
STATIC = $(CURDIR)/.build/static
LIBSTDCXX = $(shell clang -print-file-name=libstdc++.a 2>/dev/null)
RELEASE += -Xlinker -L$(STATIC) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
endif

# Builds for tests have no debug information. The example packages share the libraries that are built for the tests.
TESTED = -debug-info-format none -Xswiftc -warnings-as-errors
EXAMPLE = --scratch-path .build $(TESTED)
# Runs a command, and prints what it printed only if it fails.
quietly = echo '$(1)'; out=$$($(1) 2>&1) || { printf '%s\n' "$$out"; exit 1; }

.PHONY: run build release test lint example integration bench fuzz install clean swift programs

run: swift
	@[ -x .build/debug/apictl ] || echo "Building apictl. The first build takes about two minutes." >&2
	@swift build --product apictl 1>&2
	@.build/debug/apictl $(ARGS)

build: swift
	swift build

release: swift
ifeq ($(shell uname -s),Linux)
	@mkdir -p $(STATIC)
	@case "$(LIBSTDCXX)" in /*) ln -sf "$(LIBSTDCXX)" $(STATIC)/libstdc++.a;; esac
endif
	@[ -x .build/release/apictl ] || echo "Building the release program. The first build takes about ten minutes." >&2
	swift build --product apictl $(RELEASE)

# The README's tests run the programs of the example packages.
test: lint example programs
	@$(call quietly,swift build --build-tests $(TESTED))
	@# Few at a time: a test with a time limit must not wait for hundreds of others.
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test --quiet --disable-xctest --skip-build

lint: swift
	swift format lint --strict --parallel --recursive $(SOURCES)

# Separate packages that use the libraries: the one that README shows, and a larger one.
example: swift
	@# SwiftPM does not notice added and removed files in a package dependency by path.
	@rm -f .build/*.yaml
	@$(call quietly,swift build --build-tests --package-path Tests/FirstPackage $(EXAMPLE))
	swift test --quiet --disable-xctest --skip-build --package-path Tests/FirstPackage $(EXAMPLE)
	@$(call quietly,swift build --build-tests --package-path Tests/ExamplePackage $(EXAMPLE))
	swift test --quiet --disable-xctest --skip-build --package-path Tests/ExamplePackage $(EXAMPLE)
	.build/debug/petctl list --lint

integration: release example programs
	@$(call quietly,swift build --product widectl --package-path Tests/ExamplePackage --scratch-path .build $(RELEASE))
	@$(call quietly,swift build --build-tests $(TESTED))
	Tests/Integration/run .build/release/apictl

bench: release
	RELEASE='$(RELEASE)' Tests/Benchmarks/run .build/release/apictl $(ONLY)

fuzz: swift
	Tests/Fuzz/run $(SECONDS)

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/apictl "$(DESTDIR)$(PREFIX)/bin/apictl"
	@# Completion for each shell, where it looks for scripts of programs in PREFIX.
	install -d "$(DESTDIR)$(SHARE)/bash-completion/completions" "$(DESTDIR)$(SHARE)/zsh/site-functions" \
		"$(DESTDIR)$(SHARE)/fish/vendor_completions.d" "$(DESTDIR)$(SHARE)/man/man1"
	.build/release/apictl completions bash > "$(DESTDIR)$(SHARE)/bash-completion/completions/apictl"
	.build/release/apictl completions zsh > "$(DESTDIR)$(SHARE)/zsh/site-functions/_apictl"
	.build/release/apictl completions fish > "$(DESTDIR)$(SHARE)/fish/vendor_completions.d/apictl.fish"
	.build/release/apictl help --man > "$(DESTDIR)$(SHARE)/man/man1/apictl.1"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/apictl. Try: apictl call movies.popular --sample --table" >&2

# The version is the program's own; the name of the system is Linux's or Apple's, in lower case.
dist:
	@rm -rf .build/dist
	@$(MAKE) --no-print-directory install PORTABLE=1 DESTDIR="$(CURDIR)/.build/dist/files" PREFIX=
	@name="apictl-$$(.build/dist/files/bin/apictl --version | cut -d ' ' -f 2)-$$(uname -s | tr A-Z a-z | sed s/darwin/macos/)-$$(uname -m)"; \
	tar -czf ".build/dist/$$name.tar.gz" -C .build/dist/files bin share; \
	(cd .build/dist && { sha256sum "$$name.tar.gz" 2>/dev/null || shasum -a 256 "$$name.tar.gz"; } >"$$name.tar.gz.sha256"); \
	echo "made .build/dist/$$name.tar.gz"

clean:
	rm -rf .build .build-*

# The tests read YAML, and run the articles' recipes for jq and fzf. Installs what is missing where this user may, and names it otherwise.
programs:
ifeq ($(shell uname -s),Darwin)
	@for name in libyaml jq fzf; do \
		brew list "$$name" >/dev/null 2>&1 || brew install "$$name" || { echo "make test needs $$name: brew install $$name" >&2; exit 1; }; \
	done
else
	@# Without ldconfig's list, as on Alpine, the directories are searched.
	@PATH=$$PATH:/sbin:/usr/sbin; library=libyaml-0.so.2; missing=; \
	ldconfig -p 2>/dev/null | grep -q "$$library" || find /lib /usr/lib /usr/local/lib -name "$$library" | grep -q . || missing=libyaml-0-2; \
	for name in jq fzf; do command -v "$$name" >/dev/null || missing="$${missing:+$$missing }$$name"; done; \
	[ -z "$$missing" ] \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing $$missing" >&2 \
			&& { apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing; } >/dev/null; } \
		|| { echo "make test needs $$missing: apt-get install $$missing" >&2; exit 1; }
endif

swift:
	@command -v swift >/dev/null || { echo "make needs Swift 6 or newer: https://www.swift.org/install" >&2; exit 1; }
