# SPDX-License-Identifier: MIT
"""Compares the model with output of the reference, $FLEECE_DATA/fleece/vectors.json. Prints TAP; exits with 77 if the
vectors are missing.

Intended differences are listed here with their reasons.
"""
import base64
import json
import os
import struct
import sys

from fleece_format import (REMOVED, Bad, Encoder, SharedKeys, amend, copied, decode, encode,
                           load_shared_keys, shared_keys_state, validate)
from fleece_json import float_text, json5_to_json, parse_json, to_json
from fleece_paths import (MISSING, NO_DATE, apply_delta, as_bool, as_double, as_int, deep_visits, follow_path,
                          format_date, make_delta, parse_date, parse_path, path_text, pointer_reference,
                          pointer_rfc6901, type_code)
from fleece_values import UNDEFINED, Float32, UInt, equal

GROUPS = []


def group(check):
    GROUPS.append(check)
    return check


def raw(case, name):
    if name + "_hex" in case:
        return bytes.fromhex(case[name + "_hex"])
    return base64.b64decode(case[name + "_b64"])


def text(case, name="json"):
    return bytes.fromhex(case[name + "_hex"]) if name + "_hex" in case else case[name].encode()


def same(got, want, what=""):
    if got != want:
        raise AssertionError("%s: got %.300r, want %.300r" % (what, got, want))


def refused(f, *args):
    try:
        got = f(*args)
    except Bad:
        return
    raise AssertionError("accepted %.200r as %.200r" % (args, got))


def no_loss(t):
    """Canonical JSON text, for comparisons."""
    return to_json(parse_json(t), canonical=True)


@group
def encode_json(c):
    data = raw(c, "fleece")
    if c.get("json") == '["\\ud800abc\\udc00"]':
        refused(encode, text(c))  # the reference accepts it; encode_json_lax has the same text
        return
    same(encode(text(c)), data, "bytes")
    v = validate(data)
    same((v.valid, v.why), (True, ""), "verdict")
    got = to_json(decode(data))
    if c.get("tojson_same"):
        same(got, text(c).strip(), "JSON")
    elif "tojson" in c or "tojson_hex" in c:
        same(got, text(c, "tojson"), "JSON")


@group
def encode_json_errors(c):
    # RFC 8259 allows any value at top level; the reference refuses these.
    if c["json"] in ("1", "123", "null", "true", '"a" '):
        same(to_json(decode(encode(text(c)))), text(c).strip())
    else:
        refused(encode, text(c))


@group
def encode_json_lax(c):
    # The reference accepts more than RFC 8259, which the model follows; RFC 8259 allows -0.
    if c["json"] == "[-0]":
        same(encode(text(c)), raw(c, "fleece"))
    else:
        refused(encode, text(c))


@group
def encode_json_nounique(c):
    same(encode(text(c), unique=False), raw(c, "fleece"), "bytes")


@group
def encode_sharedkeys(c):
    keys = SharedKeys(k.encode() for k in c["preload"])
    data = encode(text(c), shared=keys)
    same(data, raw(c, "fleece"), "bytes")
    same(shared_keys_state(keys), raw(c, "state"), "state")
    loaded = load_shared_keys(raw(c, "state"))
    same(loaded.keys, keys.keys, "loaded state")
    value = decode(data, loaded)
    same(to_json(value), text(c, "tojson"), "JSON")
    same(to_json(value, canonical=True), text(c, "tojson_canonical"), "canonical JSON")
    plain = decode(encode(text(c)))
    for k, _ in plain.items() if hasattr(plain, "items") else ():
        same(to_json(value.get(k), True), to_json(plain.get(k), True), "lookup")


def run_ops(ops):
    e = Encoder()
    for op in ops:
        code, rest = op[0], op[1:]
        {"n": lambda: e.null(), "t": lambda: e.boolean(True), "F": lambda: e.boolean(False),
         "U": lambda: e.undefined(), "[": lambda: e.begin("array"), "{": lambda: e.begin("dict"),
         "]": lambda: e.finish("array"), "}": lambda: e.finish("dict"),
         "k": lambda: e.key(bytes.fromhex(rest)), "s": lambda: e.string(bytes.fromhex(rest)),
         "b": lambda: e.data(bytes.fromhex(rest)), "i": lambda: e.int(int(rest)), "u": lambda: e.uint(int(rest)),
         "f": lambda: e.float(struct.unpack(">f", bytes.fromhex(rest))[0]),
         "d": lambda: e.double(struct.unpack(">d", bytes.fromhex(rest))[0]),
         "D": lambda: e.string(format_date(int(rest)))}[code]()
    return e.end()


@group
def encode_ops(c):
    data = raw(c, "fleece")
    same(run_ops(c["ops"]), data, "bytes")
    same((validate(data).valid, validate(data).why), (True, ""), "verdict")
    v, want = decode(data), c["convert"]
    same(to_json(v), text(c, "tojson"), "JSON")
    same(type_code(v), want["type"], "type")
    same(isinstance(v, int) and not isinstance(v, bool), want["is_integer"], "is integer")
    same(isinstance(v, UInt), want["is_unsigned"], "is unsigned")
    same(isinstance(v, float) and not isinstance(v, Float32), want["is_double"], "is double")
    fraction = isinstance(v, float) and 0 < abs(v) < 1  # the reference has false, which is a defect
    same(as_bool(v), want["as_bool"] or fraction, "as bool")
    if not (isinstance(v, float) and abs(v) >= 2 ** 63):  # undefined behaviour in the reference
        same(str(as_int(v)), want["as_int"], "as int")
        same(str(as_int(v) % 2 ** 64), want["as_unsigned"], "as unsigned")
    same("%.17g" % as_double(v), want["as_double"], "as double")
    same("%.9g" % struct.unpack("f", struct.pack("f", as_double(v)))[0], want["as_float"], "as float")


@group
def encode_ops_errors(c):
    refused(run_ops, c["ops"])


@group
def number_text(c):
    bits = bytes.fromhex(c["bits"])
    v = struct.unpack(">d", bits)[0] if c["type"] == "double" else Float32(struct.unpack(">f", bits)[0])
    same(float_text(v), c["text"])


@group
def tojson(c):
    v = decode(raw(c, "fleece"))
    for name, options in (("json", {}), ("json5", {"json5": True}), ("canonical", {"canonical": True}),
                          ("canonical5", {"canonical": True, "json5": True})):
        same(to_json(v, **options), text(c, name), name)


@group
def copy(c):
    same(encode(text(c)), raw(c, "fleece"), "bytes")
    same(copied(raw(c, "fleece")), raw(c, "copy"), "copy")
    same((validate(raw(c, "copy")).valid, validate(raw(c, "copy")).why), (True, ""), "verdict")
    same(equal(decode(raw(c, "copy")), decode(raw(c, "fleece"))), True, "equal")


@group
def lookup(c):
    v = decode(raw(c, "fleece"))
    for k, want in zip(c["keys"], c["values"]):
        found = v.get(k.encode(), MISSING) if hasattr(v, "get") else MISSING
        same(found is MISSING, want is None, k)
        if want is not None:
            same(to_json(found), want.encode(), k)


def evaluate(f, case):
    if "error" in case:
        refused(f)
        return
    found = f()
    same(found is MISSING, case.get("missing", False), "missing")
    if "json" in case:
        same(to_json(found), case["json"].encode(), "JSON")


@group
def keypath(c):
    v = decode(raw(c, "fleece"))
    for case in c["cases"]:
        path = case["path"].encode()
        evaluate(lambda: follow_path(v, parse_path(path)), case)
        if "to_string" in case:
            same(path_text(parse_path(path)), case["to_string"].encode(), "text")
            if parse_path(path):
                same(parse_path(path_text(parse_path(path))), parse_path(path), "text and back")


@group
def jsonpointer(c):
    v = decode(raw(c, "fleece"))
    for case in c["cases"]:
        evaluate(lambda: pointer_reference(v, case["pointer"].encode()), case)


@group
def deep_iter(c):
    v = decode(raw(c, "fleece"))
    visits = deep_visits(v)
    same([[p.decode(), q.decode()] for p, q, _ in visits], c["visits"])
    for _, q, x in visits[1:]:
        same(pointer_rfc6901(v, q) is x, True, "RFC 6901")


@group
def json5(c):
    if "error" in c:
        refused(json5_to_json, c["in"].encode())
    else:
        same(json5_to_json(c["in"].encode()), c["out"].encode())


@group
def delta(c):
    old, new, want = (decode(encode(c[k].encode())) for k in ("old", "new", "delta"))  # members in stored order
    got = make_delta(old, new)
    if ",0,2]" in c["delta"]:  # any list of operations that gives the new text is correct
        same(no_loss(to_json(apply_delta(old, want))), no_loss(c["new"].encode()), "applied")
    else:
        same(to_json(got), c["delta"].encode())
    same(equal(apply_delta(old, got), new), True, "applied")


@group
def delta_apply(c):
    old, d = (decode(encode(c[k].encode())) for k in ("old", "delta"))
    if "error" in c:
        refused(apply_delta, old, d)
    else:
        got = apply_delta(old, d)
        same(to_json(UNDEFINED if got is MISSING else got), c["result"].encode())


@group
def amending(c):
    base = raw(c, "base")
    same(encode(c["base_json"].encode()), base, "base")
    changes = {k.encode(): REMOVED if what == "R" else parse_json(rest[0].encode())
               for what, k, *rest in c["changes"]}
    d = amend(base, changes, c["reuse_strings"], c["extern"])
    same(d, raw(c, "delta"), "bytes")
    if c["extern"]:
        same((validate(d, base).valid, validate(d, base).why), (True, ""), "verdict")
        same(to_json(decode(d, base=base)), c["json"].encode(), "JSON")
    else:
        same((validate(base + d).valid, validate(base + d).why), (True, ""), "verdict")
        same(to_json(decode(base + d)), c["json"].encode(), "JSON")


@group
def sharedkeys(c):
    keys = SharedKeys()
    same([keys.code(k.encode()) for k in c["keys"]], c["codes"], "codes")
    same(shared_keys_state(keys), raw(c, "state"), "state")


@group
def dates_utc(c):
    same(parse_date(c["text"]), c["ms"])
    if c["ms"] != NO_DATE:
        same(parse_date(format_date(c["ms"]).decode()), c["ms"], "and back")


# Reasons for which a strict reader may refuse what the reference accepts; the vector must have that issue.
REASONS = {"key is neither string nor small integer": "key_not_string", "parent is no dict": "parent_not_dict",
           "negative key": "bad_int_key", "int_key_by_pointer": "int_key"}


@group
def validating(c):
    data = bytes.fromhex(c["hex"])
    v, issues = validate(data), set(c.get("issues", ()))
    if not c["valid"]:
        same(validate(data, lenient=True).valid, False, "verdict")
    elif not issues:
        same((v.valid, v.why), (True, ""), "verdict")
    elif not v.valid:
        wanted = {REASONS.get(v.why)} if v.why in REASONS else {"bad_length", "bad_count", "root_overlaps_trailer"}
        same(bool(wanted & issues), True, "reason %s of %s" % (v.why, issues))
    for must in {"key_not_string", "parent_not_dict", "root_overlaps_trailer", "bad_length", "bad_count"} & issues:
        same(v.valid, False, must)
    for seen in {"unsorted_keys", "duplicate_key", "bad_utf8", "non_finite", "root_pointer_chain"}:
        if v.valid:
            same(seen in v.issues, seen in issues, seen)
    if v.valid and "non_finite" not in issues:
        got = to_json(decode(data), room=20000000)
        if "tojson_len" in c:
            same(len(got), c["tojson_len"], "length of the JSON")
        else:
            same(got, text(c, "tojson"), "JSON")


def nest(n, pointers):
    out, last = bytearray.fromhex("60013000"), 0
    for _ in range(n):
        at = len(out)
        out += bytes([0x60, pointers])
        for i in range(pointers):
            out += struct.pack(">H", 0x8000 | (at + 2 + 2 * i - last) // 2)
        last = at
    return bytes(out) + struct.pack(">H", 0x8000 | (len(out) - last) // 2)


@group
def hazards(c):
    if c["name"] == "shared_arrays":
        same(nest(3, 2).hex(), c["hex_n3"], "recipe")
        same(nest(40, 2).hex(), c["hex_n40"], "recipe")
        v = validate(nest(40, 2))
        same((v.valid, v.depth), (True, 41), "verdict")
        refused(to_json, decode(nest(40, 2)), False, False, 100000)
    elif c["name"] == "deep_pointers":
        same(nest(3, 1).hex(), c["hex_n3"], "recipe")
        v = validate(nest(200000, 1))
        same((v.valid, v.depth), (True, 200001), "verdict")
        same(len(to_json(decode(nest(200000, 1)))), 400006, "JSON")
    elif c["name"] == "length_reads_past_end":
        same(validate(bytes.fromhex(c["hex"])).valid, False)
    elif c["name"] == "text_delta_splits_characters":
        old, new = (parse_json(('{"t":"%s"}' % t).encode()) for t in ("é" * 40, "é" * 20 + "è" + "é" * 20))
        d = make_delta(old, new)
        same(to_json(d), '{"t":["40=2+è|40=",0,2]}'.encode(), "delta")
        same(equal(apply_delta(old, d), new), True, "applied")
    else:
        raise AssertionError("unknown hazard " + c["name"])


NAMES = {"amending": "amend", "validating": "validate"}


def main():
    for d in (os.environ.get("FLEECE_DATA") or "../shared/data", "../shared/data"):
        path = os.path.join(d, "fleece", "vectors.json")
        if os.path.exists(path):
            break
    else:
        print("SKIPPED: no data: set FLEECE_DATA")
        return 77
    with open(path, encoding="utf-8") as f:
        vectors = json.load(f)
    failures, count = 0, 0
    unknown = set(vectors) - {"meta"} - {NAMES.get(g.__name__, g.__name__) for g in GROUPS}
    for check in GROUPS:
        name = NAMES.get(check.__name__, check.__name__)
        cases = vectors.get(name, [])
        cases = cases if isinstance(cases, list) else [cases]
        wrong = []
        for i, case in enumerate(cases):
            try:
                check(case)
            except Exception as e:  # the other cases must still run
                wrong.append("%s: %s: %.500s" % (case.get("id", i), type(e).__name__, e))
        if not cases:
            wrong.append("no such vectors")
        count += 1
        failures += bool(wrong)
        print("%s %d - %s (%d cases)" % ("not ok" if wrong else "ok", count, name, len(cases)))
        for w in wrong[:12]:
            print("#   " + w.replace("\n", " "))
    count += 1
    failures += bool(unknown)
    print("%s %d - every kind of vector is tested" % ("not ok" if unknown else "ok", count))
    print("1..%d" % count)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
