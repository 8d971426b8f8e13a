"""Reproducible tar and gzip: the same entries give the same bytes."""
import gzip
import io
import tarfile

LEVEL = 6


def tar(entries, epoch, prefix=""):
    """The bytes of a tar file: entries sorted by path, with the folders that they need. Names begin with `prefix`."""
    all_entries = {entry.path: entry for entry in entries}
    folders = set()
    for path in all_entries:
        parts = path.split("/")[:-1]
        folders.update("/".join(parts[: i + 1]) for i in range(len(parts)))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(folders | set(all_entries)):
            entry = all_entries.get(path)
            info = tarfile.TarInfo(prefix + path)
            info.mtime = epoch
            if entry is None or entry.kind == "dir":
                info.type = tarfile.DIRTYPE
                info.mode = entry.mode if entry else 0o755
                info.uid = info.gid = entry.owner if entry else 0
                archive.addfile(info)
            elif entry.kind == "link":
                info.type = tarfile.SYMTYPE
                info.linkname = entry.target
                info.mode = 0o777
                archive.addfile(info)
            else:
                info.mode = entry.mode
                info.uid = info.gid = entry.owner
                info.size = len(entry.data)
                archive.addfile(info, io.BytesIO(entry.data))
    return buffer.getvalue()


def compress(data):
    return gzip.compress(data, compresslevel=LEVEL, mtime=0)
