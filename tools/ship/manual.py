"""Manual pages and shell completion, made of what the program itself says of its verbs and flags."""
import gzip
import re
import subprocess

from ship import payload

# A flag, its value's name and its text, as --help shows them.
_FLAG = re.compile(r"^  (?:-\w,)?(--[a-z0-9-]+)(?: ([A-Z][^ ]*(?: \S+)*?|TEXT|UINT|INT))?(?: REQUIRED)?(?:  +|$)")


def _help(binary, *arguments):
    return subprocess.run([str(binary), *arguments, "--help"], check=True, capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin"}).stdout


def verbs(binary):
    """Name and summary of every verb."""
    listed = _help(binary).split("Subcommands:\n")[1].split("\n\n")[0]
    return [tuple(line.strip().split(None, 1)) for line in listed.splitlines()]


def flags(binary, verb):
    return sorted({match.group(1) for line in _help(binary, verb).splitlines() if (match := _FLAG.match(line))})


def _escape(text):
    return "\n".join(("\\&" if line.startswith((".", "'")) else "") + line.replace("\\", "\\e").replace("-", "\\-")
                     for line in text.splitlines())


def _page(name, summary, text, see):
    body = f'.TH "{name.upper()}" "1" "" "Orrery {payload.version()}" "Orrery"\n'
    body += f".SH NAME\n{_escape(name)} \\- {_escape(summary)}\n.SH DESCRIPTION\n.nf\n{_escape(text)}\n.fi\n"
    body += ".SH SEE ALSO\n" + ",\n".join(f".BR {_escape(page)} (1)" for page in see) + "\n"
    return gzip.compress(body.encode(), mtime=0)


def pages(binary):
    """Manual pages by file name: orrery.1.gz and one for each verb."""
    known = [(name, summary) for name, summary in verbs(binary) if name not in ("help", "version")]
    made = {"orrery.1.gz": _page("orrery", "a partitioned multi-model database in one process", _help(binary),
                                 [f"orrery-{name}" for name, _ in known])}
    for name, summary in known:
        made[f"orrery-{name}.1.gz"] = _page(f"orrery-{name}", summary, _help(binary, name), ["orrery"])
    return made


def bash_completion(binary):
    cases = "\n".join(f"    {name}) flags='{' '.join(flags(binary, name))}' ;;" for name, _ in verbs(binary)
                      if name != "version")
    names = " ".join(name for name, _ in verbs(binary))
    return f"""# bash completion for orrery
_orrery() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} flags=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{names}' -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _orrery orrery
"""


def zsh_completion(binary):
    names = "\n".join(f"    '{name}:{summary.replace(chr(39), '')}'" for name, summary in verbs(binary))
    cases = "\n".join(f"    {name}) _arguments {' '.join(flag + '=' for flag in flags(binary, name))} '*:file:_files' ;;"
                      for name, _ in verbs(binary) if name != "version")
    return f"""#compdef orrery
_orrery() {{
  local -a verbs=(
{names}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  case $words[2] in
{cases}
  esac
}}
_orrery "$@"
"""


def fish_completion(binary):
    lines = [f"complete -c orrery -n __fish_use_subcommand -f -a {name} -d '{summary.replace(chr(39), '')}'"
             for name, summary in verbs(binary)]
    for name, _ in verbs(binary):
        lines += [f"complete -c orrery -n '__fish_seen_subcommand_from {name}' -l {flag[2:]}"
                  for flag in flags(binary, name) if name != "version"]
    return "\n".join(lines) + "\n"
