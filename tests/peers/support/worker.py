# SPDX-License-Identifier: MIT
"""worker.py -- worker.py python-jsonschema|jsonschema-rs: checks values by another validator.

A line of the input is a draft, a schema and values, as JSON, with tabs between them. The answer is a line with a letter
for each value: 1 if it is valid, 0 if not, e after an error; or "refused: " and why there is no such schema."""
import json
import sys


def python_validator(draft, schema):
    import jsonschema
    kind = jsonschema.Draft202012Validator if draft == "2020-12" else jsonschema.Draft7Validator
    schema = json.loads(schema)
    kind.check_schema(schema)
    return lambda text: kind(schema).is_valid(json.loads(text))


def rust_validator(draft, schema):
    import jsonschema_rs
    kind = jsonschema_rs.Draft202012Validator if draft == "2020-12" else jsonschema_rs.Draft7Validator
    made = kind(json.loads(schema), validate_formats=False)
    return lambda text: made.is_valid(json.loads(text))


def letter(validator, text):
    try:
        return "1" if validator(text) else "0"
    except (Exception, RecursionError):  # of any kind: it is no verdict
        return "e"


def main():
    make = python_validator if sys.argv[1] == "python-jsonschema" else rust_validator
    for line in sys.stdin:
        draft, schema, *texts = line.rstrip("\n").split("\t")
        try:
            validator = make(draft, schema)
            print("".join(letter(validator, text) for text in texts), flush=True)
        except Exception as e:
            print("refused: " + " ".join(str(e).split()), flush=True)


main()
