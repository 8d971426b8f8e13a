"""What is installed below a prefix: the program, its libraries but glibc, licences, manual, completion.

The program looks for libraries in ../lib/orrery (its RPATH), so the tree works wherever it is put.
"""
import json
import pathlib
import subprocess
import tempfile

from ship import manual, payload


def at_home(library):
    """The library's bytes, made to look for others beside itself: one that names other folders would not look here."""
    path = library.source.resolve()
    named = subprocess.run(["patchelf", "--print-rpath", path], check=True, capture_output=True, text=True)
    if not named.stdout.strip():
        return path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / library.soname
        copy.write_bytes(path.read_bytes())
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", copy], check=True)
        return copy.read_bytes()


def entries(binary):
    libs = [library for library in payload.libraries(binary) if not library.is_glibc]
    program = payload.stripped(binary)
    made = [payload.Entry("bin/orrery", mode=0o755, data=program)]
    for library in libs:
        made.append(payload.Entry(f"lib/orrery/{library.soname}", mode=0o644,
                                  data=at_home(library)))
    for entry in payload.licences(libs):
        # Not where the packages of the libraries themselves have theirs.
        name = entry.path.removeprefix("usr/share/doc/")
        path = name if name.startswith("orrery/") else f"orrery/licences/{name.replace('/', '.')}"
        if name == "LICENSE":
            path = "orrery/LICENSE"
        made.append(payload.Entry(f"share/doc/orrery/{path.removeprefix('orrery/')}", data=entry.data))
    materials = payload.bill_of_materials(libs, payload.sha256(program))
    made.append(payload.Entry("share/doc/orrery/sbom.spdx.json",
                              data=json.dumps(materials, indent=1, sort_keys=True).encode()))
    for name, page in manual.pages(binary).items():
        made.append(payload.Entry(f"share/man/man1/{name}", data=page))
    made.append(payload.Entry("share/bash-completion/completions/orrery", data=manual.bash_completion(binary).encode()))
    made.append(payload.Entry("share/zsh/vendor-completions/_orrery", data=manual.zsh_completion(binary).encode()))
    made.append(payload.Entry("share/fish/vendor_completions.d/orrery.fish", data=manual.fish_completion(binary).encode()))
    return made
