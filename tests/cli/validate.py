# SPDX-License-Identifier: GPL-2.0-or-later
#
# validate.py SCHEMA FILE...: every line is JSON by a strict reading, and what the schema says. With --none each line must be
# refused.
import json
import sys

from jsonschema import Draft202012Validator


def odd(name):
    raise ValueError(name + " is no JSON")


def pairs(items):
    seen = dict(items)
    if len(seen) != len(items):
        raise ValueError("a name stands twice")
    return seen


def lines(path):
    for number, line in enumerate(open(path, encoding="utf-8", newline="\n"), 1):
        assert line.endswith("\n"), "%s: the last line has no end" % path
        yield number, json.loads(line, parse_constant=odd, object_pairs_hook=pairs)


def main(args):
    none = args[0] == "--none"
    args = args[none:]
    schema = json.load(open(args[0]))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    bad = 0
    kinds = {}
    for path in args[1:]:
        for number, value in lines(path):
            kinds[value["type"]] = kinds.get(value["type"], 0) + 1
            error = next(validator.iter_errors(value), None)
            if (error is None) != none:
                continue
            where = "/".join(str(part) for part in error.absolute_path) if error else ""
            print("%s, line %d: %s: %s" % (path, number, where, error.message[:200] if error else "is not refused"))
            bad += 1
            if bad > 20:
                return 1
    print(" ".join("%d %s" % (kinds[kind], kind) for kind in sorted(kinds)))
    return bad > 0


sys.exit(main(sys.argv[1:]))
