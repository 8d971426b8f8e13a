"""Whether a recorded history of transactions is one of snapshot isolation.

A history is a list of transactions, each a dict:
    id       its own
    ops      what it did, in order: ["read", key, [values]] and ["append", key, value]. A key is a list of values that transactions append to; no value
             is appended twice in a history.
    outcome  "ok", "fail" (nothing of it may be seen), or "unknown" (all of it may be, or nothing)
    begin, end   when it was begun and answered, by one clock

and `final`: key -> the values at the end, read when all had ended. `violations` returns a text for each fault found; none: the history is as it should be.

The rule is that of strong snapshot isolation: each transaction has a start and a commit, between its begin and its end; it sees what was committed before its start and its own writes;
of two that write the same key one commits before the other starts. From the order of the values of each key follows which of these moments must be before which:

    a read of w's value by t:            commit of w before start of t
    w's value follows v's in a key:      commit of v before start of w
    t read a key before w's value came:  start of t before commit of w
    t ended before u began:              commit of t before start of u

The history is one of snapshot isolation if and only if these have no circle. Lost updates, non-repeatable and torn reads are circles of few; write skew is none, and allowed.
"""


def violations(history, final):
    found = []
    by_value = {}  # (key, value) -> transaction
    for transaction in history:
        for kind, key, value in transaction["ops"]:
            if kind == "append":
                if (key, value) in by_value:
                    found.append(f"value {value} of key {key} was appended twice: the history is malformed")
                by_value[key, value] = transaction
    committed = {t["id"] for t in history if t["outcome"] == "ok"}
    found += _check_final(by_value, committed, final)
    if not found:
        found += _check_reads(history, by_value, committed, final)
    if not found:
        found += _find_circle(history, by_value, committed, final)
    return found


def _appends(transaction, key):
    return [value for kind, at, value in transaction["ops"] if kind == "append" and at == key]


def _check_final(by_value, committed, final):
    """All of each committed transaction is there once, nothing of failed ones; what is not known to be committed is, if something of it is there."""
    found, seen = [], {}
    for key, values in final.items():
        if len(set(values)) != len(values):
            found.append(f"key {key} has a value twice: {values}")
        for value in values:
            writer = by_value.get((key, value))
            if writer is None:
                found.append(f"key {key} has value {value}, which nobody appended")
                continue
            if writer["outcome"] == "fail":
                found.append(f"key {key} has value {value} of transaction {writer['id']}, which failed")
            seen.setdefault(writer["id"], writer)
    for identity, writer in seen.items():
        committed.add(identity)
    for (key, value), writer in by_value.items():
        if writer["id"] in committed and value not in final.get(key, []):
            found.append(f"value {value} of key {key} by transaction {writer['id']} is lost")
    return found


def _check_reads(history, by_value, committed, final):
    found = []
    for transaction in history:
        if transaction["outcome"] == "fail" and not transaction.get("check_failed"):
            continue
        own, first = {}, {}
        for kind, key, value in transaction["ops"]:
            if kind == "append":
                own.setdefault(key, []).append(value)
                continue
            name = f"transaction {transaction['id']} read {value} of key {key}"
            mine = own.get(key, [])
            if mine and value[-len(mine):] != mine:
                found.append(f"{name}, without its own {mine}")
                continue
            outside = value[:len(value) - len(mine)]
            if key in first and first[key] != outside:
                found.append(f"{name}, and {first[key]} of others before")
            first.setdefault(key, outside)
            if outside != final.get(key, [])[:len(outside)]:
                bad = [v for v in outside if by_value.get((key, v), {"outcome": "fail"})["outcome"] == "fail"]
                found.append(f"{name}, of which {bad} failed" if bad else f"{name}, which is no beginning of {final.get(key)}")
            elif outside:
                writer = by_value[key, outside[-1]]
                if _appends(writer, key)[-1] != outside[-1]:
                    found.append(f"{name}, a part of what transaction {writer['id']} did")
    return found


def _find_circle(history, by_value, committed, final):
    edges = {}

    def before(a, b, why):
        edges.setdefault(a, {}).setdefault(b, why)

    transactions = [t for t in history if t["id"] in committed]
    for t in transactions:
        before(("start", t["id"]), ("commit", t["id"]), "its own")
    for key, values in final.items():
        writers = []  # in the order of their first values
        for value in values:
            identity = by_value[key, value]["id"]
            if not writers or writers[-1] != identity:
                writers.append(identity)
        if len(set(writers)) != len(writers):
            return [f"key {key} has values of transactions that mix: {writers}"]
        for v, w in zip(writers, writers[1:]):
            before(("commit", v), ("start", w), f"both wrote key {key}")
    for t in transactions:
        done = set()
        for kind, key, value in t["ops"]:
            if kind == "append":
                done.add(key)
            if kind != "read" or key in done:
                continue
            done.add(key)
            if value:
                before(("commit", by_value[key, value[-1]]["id"]), ("start", t["id"]), f"its value of key {key} was read")
            later = final.get(key, [])[len(value):]
            if later and by_value[key, later[0]]["id"] != t["id"]:
                before(("start", t["id"]), ("commit", by_value[key, later[0]]["id"]), f"its value of key {key} was not seen")
    # A chain of moments stands for all pairs of which one ended before the other began.
    moments = sorted({t["begin"] for t in transactions} | {t["end"] for t in transactions})
    for a, b in zip(moments, moments[1:]):
        before(("moment", a), ("moment", b), "time")
    for t in transactions:
        before(("moment", t["begin"]), ("start", t["id"]), "begun")
        if t["outcome"] == "ok":
            before(("commit", t["id"]), ("moment", t["end"]), "answered")
    circle = _circle(edges)
    if circle is None:
        return []
    steps = [f"{a[0]} of {a[1]} < {b[0]} of {b[1]} ({edges[a][b]})" for a, b in zip(circle, circle[1:] + circle[:1])
             if edges[a][b] != "time"]
    return ["no order of starts and commits explains: " + "; ".join(steps)]


def _circle(edges):
    """The nodes of some circle, or None. Depth first, without recursion."""
    state, path = {}, []
    for root in list(edges):
        if root in state:
            continue
        stack = [(root, iter(edges.get(root, ())))]
        state[root] = "open"
        path.append(root)
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if state.get(target) == "open":
                    return path[path.index(target):]
                if target not in state:
                    state[target] = "open"
                    path.append(target)
                    stack.append((target, iter(edges.get(target, ()))))
                    break
            else:
                state[node] = "done"
                path.pop()
                stack.pop()
    return None
