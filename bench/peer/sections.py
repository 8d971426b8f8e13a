"""Scripts that measure in sections: which to run, and where each section's table goes."""
import argparse
import datetime
import os
import pathlib
import platform
import re
import sys


def log(text: str) -> None:
    print(f"== {text}", file=sys.stderr, flush=True)


def command(script: str, section: str, options) -> str:
    """The command that made a section, and the machine."""
    words = [script, *(["--quick"] if options.quick else []), "--seconds", f"{options.seconds:g}", "--rounds", str(options.rounds), section]
    ram_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return (f"`{' '.join(words)}` on {datetime.date.today()}, {os.cpu_count()} cores ({platform.machine()}), {ram_gb:.0f} GB; "
            "clients and servers share the machine.")


def put(text: str, section: str) -> str:
    """The file with this section in place of the one with the same heading, or at its end."""
    heading = section.split("\n", 1)[0]
    parts = re.split(r"(?m)^(?=## )", text)
    found = [i for i, part in enumerate(parts) if part.split("\n", 1)[0] == heading]
    if found:
        parts[found[0]] = section + ("\n" if found[0] + 1 < len(parts) else "")
        return "".join(parts)
    return text.rstrip("\n") + "\n\n" + section


def main(script: str, description: str, sections: dict, result: pathlib.Path, title: str) -> int:
    """Runs the sections that the command line names, all by default, and writes each into `result` unless --quick."""
    parser = argparse.ArgumentParser(prog=script, description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="everything small; writes nothing")
    parser.add_argument("--seconds", type=float, help="of each measurement")
    parser.add_argument("--rounds", type=int, help="of each measurement; medians are told")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(sections))
    options = parser.parse_args()
    unknown = sorted(set(options.sections) - set(sections))
    if unknown:
        parser.error(f"no section {', '.join(unknown)}: there are {', '.join(sections)}")
    options.seconds = options.seconds or (0.5 if options.quick else 4)
    options.rounds = options.rounds or (1 if options.quick else 3)
    for name in options.sections or sections:
        section = sections[name](options)
        print(section, flush=True)
        if not options.quick:
            result.write_text(put(result.read_text() if result.exists() else title, section))
    return 0
