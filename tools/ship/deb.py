"""A Debian package, made without dpkg's tools, so that the same payload gives the same bytes."""
import dataclasses
import hashlib
import pathlib

from ship import payload, tarball

FILES = pathlib.Path(__file__).resolve().parent / "debian"
SCRIPTS = ("postinst", "prerm", "postrm")
CONFIGURATION = "etc/orrery.conf"


def entries(installed):
    made = [dataclasses.replace(entry, path="usr/" + entry.path) for entry in installed]
    made.append(payload.Entry(CONFIGURATION, data=(FILES / "orrery.conf").read_bytes()))
    made.append(payload.Entry("lib/systemd/system/orrery.service", data=(FILES / "orrery.service").read_bytes()))
    made.append(payload.Entry("usr/share/doc/orrery/copyright", data=(FILES / "copyright").read_bytes()))
    return made


def control(data):
    size = sum(len(entry.data) for entry in data) // 1024
    return (f"Package: orrery\nVersion: {payload.version()}\nArchitecture: {payload.architecture()}\n"
            f"Maintainer: The Orrery developers <orrery@localhost>\nInstalled-Size: {size}\n"
            "Depends: libc6 (>= 2.36), passwd\nSection: database\nPriority: optional\n"
            "Description: partitioned multi-model database in one process\n"
            " Orrery answers clients of Apache Cassandra, of Azure Cosmos DB's SQL and Table APIs,\n"
            " of MongoDB and of Gremlin, over one partitioned core. The libraries that it needs\n"
            " beside glibc are in the package.\n")


def _archive(members, epoch):
    """The ar format, as Debian packages have it."""
    out = b"!<arch>\n"
    for name, data in members:
        out += f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
        out += data + b"\n" * (len(data) % 2)
    return out


def package(installed):
    """The bytes of a package of what tree.entries() gives."""
    epoch = payload.epoch()
    data = entries(installed)
    sums = "".join(f"{hashlib.md5(entry.data).hexdigest()}  {entry.path}\n"
                   for entry in sorted(data, key=lambda entry: entry.path) if entry.path != CONFIGURATION)
    about = [payload.Entry("control", data=control(data).encode()), payload.Entry("md5sums", data=sums.encode()),
             payload.Entry("conffiles", data=f"/{CONFIGURATION}\n".encode())]
    about += [payload.Entry(name, mode=0o755, data=(FILES / name).read_bytes()) for name in SCRIPTS]
    return _archive([("debian-binary", b"2.0\n"),
                     ("control.tar.gz", tarball.compress(tarball.tar(about, epoch, "./"))),
                     ("data.tar.gz", tarball.compress(tarball.tar(data, epoch, "./")))], epoch)
