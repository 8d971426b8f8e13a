"""What is shipped: the stripped program, the libraries it needs, and their licences.

Images, archives and packages are made of the same payload, so that all of them run what was tested.
Everything is reproducible: entries are sorted, and their time is that of the last commit.
"""
import dataclasses
import datetime
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of glibc: they belong to the machine's loader, and an archive must not bring its own.
GLIBC = ("ld-linux", "libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libresolv.so", "libutil.so")


@dataclasses.dataclass(frozen=True)
class Entry:
    """One file, folder or link. `path` has no leading slash."""
    path: str
    mode: int = 0o644
    data: bytes = b""
    kind: str = "file"  # file, dir, link
    target: str = ""
    owner: int = 0


@dataclasses.dataclass(frozen=True)
class Library:
    soname: str  # the name that the program asks for
    source: pathlib.Path
    package: str
    version: str

    @property
    def is_glibc(self):
        return self.soname.startswith(GLIBC)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def version():
    """As CMake has it: the one place that names it."""
    return re.search(r"project\(orrery VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def epoch():
    """The time that every shipped file has."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    return int(said) if said else int(run("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))


def architecture():
    return run("dpkg", "--print-architecture").strip()


def stripped(binary):
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "orrery"
        subprocess.run(["strip", "--strip-all", "-o", str(target), str(binary)], check=True)
        return target.read_bytes()


def _package_of(path):
    """The Debian package that a library is from, by any of the names of its file."""
    names = {path, path.resolve()}
    for name in list(names):
        text = str(name)
        names.add(pathlib.Path(text[4:]) if text.startswith("/usr/lib") else pathlib.Path("/usr" + text))
    for name in sorted(names):
        found = subprocess.run(["dpkg-query", "-S", str(name)], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return ""


def libraries(binary):
    """All shared libraries of the program, the loader included, sorted by name."""
    found = []
    for line in run("ldd", str(binary)).splitlines():
        match = re.match(r"\s*(?:(\S+) => )?(/\S+) \(0x", line)
        if match is None:
            if "=> not found" in line:
                raise SystemExit(f"ship: a library is missing on this machine: {line.strip()}")
            continue
        source = pathlib.Path(match.group(2))
        package = _package_of(source)
        shown = run("dpkg-query", "-W", "-f=${Version}", package) if package else ""
        found.append(Library(match.group(1) or source.name, source, package, shown))
    return sorted(found, key=lambda library: library.soname)


def licences(libs):
    """The copyright files of the packages whose libraries are shipped, and Orrery's own."""
    entries = [Entry("usr/share/doc/orrery/LICENSE", data=(ROOT / "LICENSE").read_bytes())]
    for package in sorted({library.package for library in libs if library.package}):
        path = pathlib.Path("/usr/share/doc") / package / "copyright"
        if path.exists():
            entries.append(Entry(f"usr/share/doc/{package}/copyright", data=path.read_bytes()))
    return entries


def bill_of_materials(libs, binary_sha256):
    """An SPDX 2.3 document as a plain object."""
    def identifier(text):
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)

    packages = [{"SPDXID": identifier("orrery"), "name": "orrery", "versionInfo": version(),
                 "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
                 "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
                 "checksums": [{"algorithm": "SHA256", "checksumValue": binary_sha256}]}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": identifier("orrery")}]
    for name, shown in sorted({(library.package, library.version) for library in libs if library.package}):
        packages.append({"SPDXID": identifier("deb-" + name), "name": name, "versionInfo": shown,
                         "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
                         "copyrightText": "NOASSERTION",
                         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                           "referenceLocator": f"pkg:deb/debian/{name}@{shown}"}]})
        relations.append({"spdxElementId": identifier("orrery"), "relationshipType": "DYNAMIC_LINK",
                          "relatedSpdxElement": identifier("deb-" + name)})
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"orrery-{version()}",
            "documentNamespace": f"urn:orrery:{version()}:{binary_sha256}",
            "creationInfo": {"created": timestamp(), "creators": ["Tool: orrery-packaging"]},
            "packages": packages, "relationships": relations}


def timestamp():
    """epoch() as SPDX and OCI write it."""
    return datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sha256(data):
    return hashlib.sha256(data).hexdigest()
