"""Imports OpenAPI documents as Swift, and checks the files: they are formatted, compile without warnings, and make the requests of the document.

usage: openapi.py [--release] [DIRECTORY | FILE]…

Without a path, the documents of Tests/Integration/documents are imported, and one with hostile names. FILE is JSON, or JSON packed with gzip.

APICTL is the program, WORK a directory to write to. Each document becomes a program of its own, whose requests are compared with those of a builder that
knows only the document. The requests of a document called "stripe" are also compared with those of Stripe's client. A table of sizes and times is printed.
"""

import concurrent.futures
import functools
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import hostile_document
from openapi_builder import Builder
from operation_calls import Difference, check_operation

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(os.environ["WORK"]) / "openapi"
APICTL = str(pathlib.Path(os.environ["APICTL"]).resolve())
CONFIGURATION = "release" if "--release" in sys.argv else "debug"
SOURCES = [pathlib.Path(word).resolve() for word in sys.argv[1:] if not word.startswith("--")]
# The document with this name is only compiled. Its requests have no server, and its names no plain spelling.
HOSTILE_NAME = "hostile"
COLUMNS = (
    "document operations parameters models properties typed undescribed JSON bytes comments "
    "import import_MB build build_MB samples check").split()

MAIN = """\
import ApictlCLI
import CurlTransport

Apictl.main(apis: NAMESPACE.apis, tool: "tool", version: "1") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
"""
MANIFEST = """\
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "NAME", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "apictl", path: "ROOT")],
    targets: [
        .executableTarget(
            name: "NAME",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"),
                .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ],
            path: "Sources")
    ])
"""

failures = []


def run(*words, **options):
    """Runs a program. The result also has its `seconds`, and `output`: stdout and stderr."""
    start = time.monotonic()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    done.seconds, done.output = time.monotonic() - start, done.stdout + done.stderr
    return done


def run_measured(*words):
    """Runs a program. The result also has `memory`: that of the process that needed most, in megabytes."""
    done = run("/usr/bin/time", "-f", "memory %M", *words)
    done.memory = int(done.stderr.split()[-1]) / 1024
    return done


def documents():
    """Yields the name and the bytes of each document."""
    for source in SOURCES or [ROOT / "Tests" / "Integration" / "documents"]:
        for path in sorted(source.rglob("*.json*")) if source.is_dir() else [source]:
            data = path.read_bytes()
            name = re.sub(r"[^a-z0-9]+", "_", path.name.lower().split(".json")[0])
            yield name, gzip.decompress(data) if path.suffix == ".gz" else data
    if not SOURCES:
        yield HOSTILE_NAME, json.dumps(hostile_document.document()).encode()


class Document:
    """A document and the package that is made of it."""

    def __init__(self, name, data):
        self.name, self.content = name, json.loads(data)
        self.directory = WORK / name
        self.file = self.directory / "document.json"
        self.sources = self.directory / "Sources"
        self.program = ROOT / ".build" / CONFIGURATION / name
        self.sources.mkdir(parents=True)
        self.file.write_bytes(data)

    def fail(self, message):
        failures.append(f"{self.name}: {message}")

    def import_files(self):
        """Imports the document twice, which must give the same files. Returns the run of the first import."""
        report = self.directory / "report.json"
        done = run_measured(
            APICTL, "import", "--into", self.sources / "API", "--report", report, "openapi", self.file)
        if done.returncode:
            self.fail(done.output[:1000])
            return done
        again = run(APICTL, "import", "--into", self.directory / "Again", "openapi", self.file)
        differences = run("diff", "-r", self.sources / "API", self.directory / "Again")
        if again.returncode or differences.stdout:
            self.fail(f"the second run differs: {(again.output + differences.output)[:500]}")
        self.report = json.loads(report.read_text())
        return done

    def lint(self):
        done = run("swift", "format", "lint", "--strict", "--recursive", self.sources, cwd=WORK)
        if done.returncode:
            self.fail(f"lint: {done.output[:1000]}")

    def build(self):
        """Compiles the files as a program."""
        files = (self.sources / "API").glob("*.swift")
        namespace = next(file.stem for file in files if "static let apis: [any API.Type]" in file.read_text())
        (self.sources / "main.swift").write_text(MAIN.replace("NAMESPACE", namespace))
        manifest = MANIFEST.replace("NAME", self.name).replace("ROOT", str(ROOT))
        (self.directory / "Package.swift").write_text(manifest)
        # All programs share the build directory of apictl. SwiftPM does not notice that their files are others.
        for plan in (ROOT / ".build").glob("*.yaml"):
            plan.unlink()
        done = run_measured(
            "swift", "build", "-c", CONFIGURATION, "--package-path", self.directory, "--scratch-path", ROOT / ".build",
            "-debug-info-format", "none", "-Xswiftc", "-warnings-as-errors")
        if done.returncode or "warning:" in done.output:
            lines = [line for line in done.output.splitlines() if "error:" in line or "warning:" in line]
            self.fail("not compiled: " + "\n".join(lines)[:3000])
        return done

    def check_samples(self):
        """Checks the samples, and returns how many of them fit their model."""
        summary = json.loads(run(self.program, "check", "--sample", "--report-json", "-").stdout)
        failed = [check for check in summary["checks"] if check["verdict"] == "failed"]
        if failed:
            self.fail(f"{len(failed)} samples do not fit, such as {json.dumps(failed[0])[:600]}")
        return sum(check["verdict"] in ("passed", "drifted") for check in summary["checks"])

    def check_list(self):
        """Checks that the only findings of `list --lint` are endpoints without examples."""
        done = run(self.program, "list", "--lint")
        findings = [line for line in done.stdout.splitlines() if "no example shows it" not in line]
        if done.returncode and findings:
            self.fail(f"{len(findings)} findings: " + "\n".join(findings[:5]))

    def check_document(self):
        """Compares the program with its document by `check --document`. Returns the seconds that this takes."""
        done = run(self.program, "check", "--document", self.file)
        if done.returncode not in (0, 1):
            self.fail(f"check --document: {done.output[:500]}")
        findings = [line.strip() for line in done.stdout.splitlines()[:20] if line.startswith("    ")]
        if findings and done.returncode in (0, 1) and self.name != HOSTILE_NAME:
            self.fail("check --document: " + "; ".join(findings))
        return done.seconds

    def check_requests(self):
        """Compares the request of each operation with the one that the document describes."""
        builder = Builder(self.content)
        endpoints = {f"{endpoint['method']} {endpoint['path']}": endpoint["name"] for endpoint in self.report["endpoints"]}

        def difference(operation):
            endpoint = endpoints.get(f"{operation.method} {operation.path}")
            if endpoint is None:
                return None
            try:
                check_operation(functools.partial(run, self.program), builder, operation, endpoint)
            except Difference as error:
                return f"{operation.method} {operation.path}: {error}"
            return None

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for message in pool.map(difference, builder.operations()):
                if message:
                    self.fail(message)

    def check_client_of_stripe(self):
        script = ROOT / "Tests" / "Integration" / "stripe_calls.py"
        done = run(sys.executable, script, env={**os.environ, "TOOL": str(self.program)})
        if done.returncode:
            self.fail(done.output[:2000])


def checked_row(document):
    """Checks a document, and returns its row of the table; None if it can't be imported."""
    imported = document.import_files()
    if imported.returncode:
        return None
    document.lint()
    built = document.build()
    samples = check_time = "-"
    if not built.returncode:
        samples = document.check_samples()
        document.check_list()
        if document.name != HOSTILE_NAME:
            document.check_requests()
        if document.name == "stripe":
            document.check_client_of_stripe()
        check_time = f"{document.check_document():.1f}"
    report, properties = document.report, document.report["properties"]
    untyped = properties["all"] - properties["typed"] - properties["undescribed"]
    with_comments = sum(bool(endpoint["comments"]) for endpoint in report["endpoints"])
    return [
        document.name, len(report["endpoints"]), report["parameters"], len(report["models"]), properties["all"],
        properties["typed"], properties["undescribed"], untyped, report["bytes"], with_comments,
        f"{imported.seconds:.2f}", f"{imported.memory:.0f}", f"{built.seconds:.1f}", f"{built.memory:.0f}", samples, check_time,
    ]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    shutil.copy(ROOT / ".swift-format", WORK)
    print(*COLUMNS, sep="\t", flush=True)
    for name, data in documents():
        # A document of webhooks has nothing to call.
        if not json.loads(data).get("paths"):
            continue
        row = checked_row(Document(name, data))
        if row:
            print(*row, sep="\t", flush=True)
    for failure in failures:
        print("not ok:", failure)
    print(f"{len(failures)} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
