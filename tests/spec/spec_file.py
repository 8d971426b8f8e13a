"""Reads and writes spec files: cases of a statement and what must come of it. README.md has the format."""
import dataclasses
import pathlib
import re

SEPARATOR = "----"
PLACEHOLDER = re.compile(r"<any>|<(-?\d+)\.\.(-?\d+)>")


class FormatError(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Dialect:
    """The words of one API's files.

    Options on a directive's line are flags (`word`) and settings (`word=value`); `bind` takes the rest of the line.
    An `error` is followed by its kind.
    """

    directives: tuple
    flags: tuple
    settings: tuple


CQL = Dialect(("statement", "query", "error"), ("unordered", "eventually", "text", "warning", "charge"), ("page", "pages", "as"))


@dataclasses.dataclass
class Case:
    """One block. `expected` are the lines below the separator, None when there is no separator."""

    path: pathlib.Path
    line: int
    directive: str
    kind: str  # of an error
    flags: set
    settings: dict
    bind: str | None
    statement: str
    expected: list | None
    only: list  # names of targets, empty for all
    end: int  # index of the line behind the statement

    def where(self):
        return f"{self.path.name}:{self.line}"


def _parse_directive(path, number, line, dialect):
    head, found, bind = (line + " ").partition(" bind ")
    words = head.split()
    directive, rest = words[0], words[1:]
    if directive not in dialect.directives:
        raise FormatError(f"{path.name}:{number}: no such directive: {directive}")
    kind = ""
    if directive == "error":
        if not rest:
            raise FormatError(f"{path.name}:{number}: an error needs its kind")
        kind = rest.pop(0)
    flags, settings = set(), {}
    for word in rest:
        key, equals, value = word.partition("=")
        if equals and key in dialect.settings:
            settings[key] = value
        elif not equals and key in dialect.flags:
            flags.add(key)
        else:
            raise FormatError(f"{path.name}:{number}: no such option: {word}")
    return directive, kind, flags, settings, bind.strip() if found else None


def _parse_only(path, number, line):
    match = re.fullmatch(r"only ([\w.-]+(?:, [\w.-]+)*): \S.*", line)
    if match is None:
        raise FormatError(f"{path.name}:{number}: write `only <target>[, <target>]: <why>`")
    return match.group(1).split(", ")


class SpecFile:
    """A parsed file. `only` on a block of its own holds for the whole file, above a directive for that case."""

    def __init__(self, path, dialect=CQL):
        self.path = pathlib.Path(path)
        self.dialect = dialect
        self.lines = self.path.read_text().splitlines()
        self.only = []
        self.cases = []
        self._parse()

    def _parse(self):
        index = 0
        while index < len(self.lines):
            if not self.lines[index] or self.lines[index].startswith("#"):
                index += 1
                continue
            start = index
            while index < len(self.lines) and self.lines[index]:
                index += 1
            self._parse_block(start, index)

    def _parse_block(self, start, end):
        only = []
        if self.lines[start].startswith("only "):
            only = _parse_only(self.path, start + 1, self.lines[start])
            start += 1
            if start == end:
                self.only = only
                return
        parts = _parse_directive(self.path, start + 1, self.lines[start], self.dialect)
        block = self.lines[start + 1:end]
        split = block.index(SEPARATOR) if SEPARATOR in block else len(block)
        if split == 0:
            raise FormatError(f"{self.path.name}:{start + 1}: no statement")
        expected = block[split + 1:] if split < len(block) else None
        self.cases.append(Case(self.path, start + 1, *parts, "\n".join(block[:split]), expected, only, start + 1 + split))

    def fill(self, answers):
        """Writes the file with `answers` (line of a case -> directive line, expected lines) in place of what it expects."""
        out, done = [], 0
        for case in self.cases:
            if case.line not in answers:
                continue
            head, expected = answers[case.line]
            out += self.lines[done:case.line - 1] + [head] + self.lines[case.line:case.end]
            if expected is not None:
                out += [SEPARATOR] + expected
            done = case.end + (0 if case.expected is None else 1 + len(case.expected))
        self.path.write_text("\n".join(out + self.lines[done:]) + "\n")


def matches(expected, got):
    """Equal, but <any> stands for any value and <1..9> for a number of that range."""
    if not PLACEHOLDER.search(expected):
        return expected == got
    pattern, ranges, done = "", [], 0
    for found in PLACEHOLDER.finditer(expected):
        pattern += re.escape(expected[done:found.start()]) + (".+?" if found.group(1) is None else r"(-?\d+)")
        ranges += [] if found.group(1) is None else [(int(found.group(1)), int(found.group(2)))]
        done = found.end()
    match = re.fullmatch(pattern + re.escape(expected[done:]), got)
    return match is not None and all(low <= int(n) <= high for n, (low, high) in zip(match.groups(), ranges))
