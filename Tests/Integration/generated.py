"""Swift that the tool made, as a program: linted, and compiled with warnings as errors."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
# Names and texts that must not leave their literal, or that are no identifiers.
HOSTILE = [
    "", " ", "_", "self", "Self", "init", "Type", "default", "case", "class", "nil", "true", "Any", "rawValue", "hashValue", "CodingKeys", "user_id",
    "userID", "userId", "user-id", "+1", "-1", "1", "2fa", '"', '"""', '""" + exit(1) + """', "\\", "\\(exit(1))", "\\u{41}", '#"', "*/", "/*", "//",
    "\n", "\r\n", "\t", "\0", "a\nb", "`", "\u202e", "\u2066x", "\u2028", "\ufeff", "\u0301", "e\u0301", "\U0001f468\u200d\U0001f469", "名前", "größe",
    "$", "$0", "$ref", "#if", "a.b", "a[0]", "x" * 500, "word " * 100, '"' * 200, "\\" * 301, "é" * 300,
]


def swift(*words, **options):
    return subprocess.run(["swift", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def sources(work, name):
    """The directory for the sources of the program `name`, whose package and all else in `work` is made anew."""
    shutil.rmtree(work, ignore_errors=True)
    directory = work / "package" / "Sources" / name
    directory.mkdir(parents=True)
    shutil.copy(ROOT / ".swift-format", work)
    (work / "package" / "Package.swift").write_text("""// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "%s", platforms: [.macOS(.v15)], dependencies: [.package(name: "apictl", path: "%s")],
    targets: [
        .executableTarget(
            name: "%s",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"), .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ])
    ])
""" % (name, ROOT, name))
    return directory


def lint(work, failures):
    done = swift("format", "lint", "--strict", "--recursive", str(work))
    if done.returncode:
        failures.append("lint: " + done.stdout[:3000])


def compiled(work, name, apis, failures, lists=()):
    """The program with these APIs, and those of lists such as `Shop.apis`; exits if it can't be compiled."""
    (work / "package" / "Sources" / name / "main.swift").write_text("""import ApictlCLI
import CurlTransport
import EndpointKit

let apis: [any API.Type] = [
%s]%s
Apictl.main(apis: apis, tool: "%s", version: "1") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
""" % ("".join("    %s.self,\n" % api for api in apis), "".join(" + " + one for one in lists), name))
    for manifest in (ROOT / ".build").glob("*.yaml"):
        manifest.unlink()
    done = swift("build", "--package-path", str(work / "package"), "--scratch-path", str(ROOT / ".build"), "-debug-info-format", "none",
                 "-Xswiftc", "-warnings-as-errors")
    if done.returncode or "warning:" in done.stdout:
        lines = [line for line in done.stdout.splitlines() if "error:" in line or "warning:" in line]
        print("\n".join(failures))
        sys.exit("not compiled:\n" + "\n".join(lines[:30] or done.stdout.splitlines()[-30:]))
    return ROOT / ".build" / "debug" / name
