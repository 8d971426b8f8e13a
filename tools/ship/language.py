"""The packages for Python and Node that carry the program: a wheel, and a tarball as npm takes it."""
import base64
import dataclasses
import hashlib
import io
import json
import time
import zipfile

from ship import payload, tarball, tree

SOURCES = payload.ROOT / "packages"
# glibc of Debian 12.
PLATFORMS = {"amd64": "manylinux_2_36_x86_64", "arm64": "manylinux_2_36_aarch64"}
CPUS = {"amd64": "x64", "arm64": "arm64"}


def program(entries):
    """What of the tree a program needs to run, and its licences."""
    return [entry for entry in entries if not entry.path.startswith(("share/man", "share/bash", "share/zsh", "share/fish"))]


def wheel(entries):
    """Name and bytes."""
    version = payload.version()
    tag = f"py3-none-{PLATFORMS[payload.architecture()]}"
    about = f"orrery_server-{version}.dist-info"
    files = [dataclasses.replace(entry, path="orrery_server/program/" + entry.path) for entry in program(entries)]
    for source in sorted((SOURCES / "python/orrery_server").glob("*.py")):
        files.append(payload.Entry(f"orrery_server/{source.name}", data=source.read_bytes()))
    files.append(payload.Entry(f"{about}/METADATA", data=(SOURCES / "python/METADATA").read_text().replace(
        "{version}", version).encode()))
    files.append(payload.Entry(f"{about}/WHEEL", data=(
        f"Wheel-Version: 1.0\nGenerator: orrery-packaging\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()))
    files.append(payload.Entry(f"{about}/entry_points.txt", data=b"[console_scripts]\norrery = orrery_server:main\n"))
    record = "".join(f"{entry.path},sha256={_digest(entry.data)},{len(entry.data)}\n" for entry in files)
    files.append(payload.Entry(f"{about}/RECORD", data=f"{record}{about}/RECORD,,\n".encode()))
    buffer = io.BytesIO()
    moment = time.gmtime(max(payload.epoch(), 315_532_800))[:6]  # zip knows no time before 1980
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in files:
            info = zipfile.ZipInfo(entry.path, moment)
            info.external_attr = (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.data)
    return f"orrery_server-{version}-{tag}.whl", buffer.getvalue()


def npm(entries):
    """Name and bytes."""
    description = json.loads((SOURCES / "npm/package.json").read_text())
    description["version"] = payload.version()
    description["cpu"] = [CPUS[payload.architecture()]]
    files = [dataclasses.replace(entry, path="package/program/" + entry.path) for entry in program(entries)]
    files.append(payload.Entry("package/package.json", data=json.dumps(description, indent=2).encode() + b"\n"))
    files.append(payload.Entry("package/README.md", data=(SOURCES / "README.md").read_bytes()))
    files.append(payload.Entry("package/index.js", data=(SOURCES / "npm/index.js").read_bytes()))
    files.append(payload.Entry("package/bin/orrery.js", mode=0o755, data=(SOURCES / "npm/bin/orrery.js").read_bytes()))
    name = f"orrery-{payload.version()}-{payload.architecture()}.tgz"
    return name, tarball.compress(tarball.tar(files, payload.epoch()))


def write(binary, output):
    output.mkdir(parents=True, exist_ok=True)
    entries = tree.entries(binary)
    made = []
    for name, data in (wheel(entries), npm(entries)):
        (output / name).write_bytes(data)
        print(f"{output / name}: {len(data) / 1e6:.1f} MB, sha256 {payload.sha256(data)}")
        made.append(output / name)
    return made


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
