"""An OCI image as an archive, made without a daemon: two layers, libraries below the program, so that an
upgrade moves the program only."""
import json

from ship import payload, tarball

USER = 10001
PORTS = (8080, 8081, 10251, 9042, 10350, 8902, 10002, 27017, 10255, 8182, 8901)
# Reachable from outside of the container, as its port mapping says; the welcome lines name what that means.
ENVIRONMENT = ("PATH=/usr/bin", "ORRERY_DATA=/data/orrery", "ORRERY_LISTEN=0.0.0.0", "ORRERY_ALLOW_INSECURE=true",
               # What test libraries wait for.
               "ORRERY_HEALTH_PORT=8080", "ORRERY_ANNOUNCE=emulators")


def base_entries(libs):
    """Everything but the program: libraries where its loader looks, one user, folders to write to."""
    entries = [
        payload.Entry("etc/passwd", data=b"root:x:0:0:root:/:/sbin/nologin\norrery:x:%d:%d:orrery:/data:/sbin/nologin\n"
                      % (USER, USER)),
        payload.Entry("etc/group", data=b"root:x:0:\norrery:x:%d:\n" % USER),
        payload.Entry("etc/nsswitch.conf", data=b"hosts: files dns\n"),
        # Whatever user the container runs as makes its own folder in there.
        payload.Entry("data", kind="dir", mode=0o1777, owner=USER),
        payload.Entry("tmp", kind="dir", mode=0o1777),
        payload.Entry("lib64", kind="link", target="usr/lib64"),
        payload.Entry("lib", kind="link", target="usr/lib"),
    ]
    for library in libs:
        path = str(library.source.parent.resolve() / library.source.name).lstrip("/")
        if library.soname.startswith("/"):  # the loader, by the path that programs name
            path = "usr" + library.soname
        entries.append(payload.Entry(path, mode=0o755, data=library.source.resolve().read_bytes()))
    return entries + payload.licences(libs)


def program_entries(binary, libs):
    program = payload.stripped(binary)
    materials = payload.bill_of_materials(libs, payload.sha256(program))
    return [payload.Entry("usr/bin/orrery", mode=0o755, data=program),
            payload.Entry("usr/share/doc/orrery/sbom.spdx.json",
                          data=json.dumps(materials, indent=1, sort_keys=True).encode())]


class Blobs:
    """The content-addressed files of an image."""

    def __init__(self):
        self.entries = []

    def add(self, data, media_type):
        digest = payload.sha256(data)
        self.entries.append(payload.Entry(f"blobs/sha256/{digest}", data=data))
        return {"mediaType": media_type, "digest": "sha256:" + digest, "size": len(data)}


def image(binary):
    """The bytes of an OCI archive."""
    epoch = payload.epoch()
    libs = payload.libraries(binary)
    blobs, layers, diff_ids = Blobs(), [], []
    for entries in (base_entries(libs), program_entries(binary, libs)):
        layer = tarball.tar(entries, epoch)
        diff_ids.append("sha256:" + payload.sha256(layer))
        layers.append(blobs.add(tarball.compress(layer), "application/vnd.oci.image.layer.v1.tar+gzip"))
    labels = {"org.opencontainers.image.title": "Orrery", "org.opencontainers.image.version": payload.version(),
              "org.opencontainers.image.licenses": "Apache-2.0",
              "org.opencontainers.image.description": "A partitioned multi-model database in one process"}
    config = {
        "created": payload.timestamp(), "architecture": payload.architecture(), "os": "linux",
        "config": {"User": f"{USER}:{USER}", "Env": list(ENVIRONMENT), "Entrypoint": ["/usr/bin/orrery"],
                   "Cmd": ["serve"], "WorkingDir": "/data", "Volumes": {"/data": {}}, "Labels": labels,
                   "ExposedPorts": {f"{port}/tcp": {} for port in PORTS}, "StopSignal": "SIGTERM",
                   # Docker's own; other programs pass over it.
                   "Healthcheck": {"Test": ["CMD", "/usr/bin/orrery", "health"], "Interval": 10_000_000_000,
                                   "Timeout": 5_000_000_000, "StartPeriod": 5_000_000_000, "Retries": 3}},
        "rootfs": {"type": "layers", "diff_ids": diff_ids},
        "history": [{"created": payload.timestamp(), "created_by": "libraries"},
                    {"created": payload.timestamp(), "created_by": "orrery"}],
    }
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": blobs.add(_json(config), "application/vnd.oci.image.config.v1+json"), "layers": layers}
    described = blobs.add(_json(manifest), manifest["mediaType"])
    described["platform"] = {"architecture": payload.architecture(), "os": "linux"}
    described["annotations"] = {"org.opencontainers.image.ref.name": payload.version(),
                                "io.containerd.image.name": f"docker.io/library/orrery:{payload.version()}"}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [described]}
    entries = [payload.Entry("oci-layout", data=b'{"imageLayoutVersion":"1.0.0"}'),
               payload.Entry("index.json", data=_json(index)), *blobs.entries]
    return tarball.tar(entries, epoch)


def _json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
