#!/usr/bin/env python3
"""prefixes.py -- does a function that other files may call begin with a prefix of its folder? Prints one line per complaint.

Run by rooms.sh. src/README.md has the prefixes for people. What a template pastes has the name of its
layout before it and is not looked at."""
import glob
import re

PREFIXES = {
    "base": "fl_ buf_", "number": "num_", "text": "text_", "regex": "regex_", "query": "query_", "json": "json_ json5_ scan_", "binary": "bin_",
    "patch": "patch_", "schema": "schema_", "schema/face": "mod_schema",
    "layout": "lay_ puc_ luajit_ prove_ probe_ compat_",
    "encode": "encode_ api_ order_", "encode/face": "mod_ mixed_ step_ luajit_", "decode": "json_to_lua_ shapes_", "decode/face": "mod_",
    "values": "value_", "document/from_json": "json_to_binary_ names_", "document/to_json": "binary_to_json_ delta_to_json_",
    "document/from_lua": "pack_", "document/to_lua": "unpack_ json_to_lua_api_",
    "format": "reformat_", "format/face": "mod_", "places": "mod_pick_ mod_edit_ mod_path_", "query/face": "mod_",
    "patch/face": "mod_patch_ mod_json_ mod_merge_", "lua": "mod_ heap_ exact_", "files": "mod_ map_ file_ replace_ lock_ append_ spill_",
    "stream": "mod_ builder_ parser_ pieces_ writer_", "module": "mod_ view_", "program": "mod_ program_",
    "document": "mod_ view_ builder_ pieces_ splice_ step_ dump_ mutable_ doc_ lazy_ append_",
    "dropin/shared": "dropin_", "capi": "capi_ fleece_",
}
NAME = re.compile(r"^FL_(?:PRIVATE|PRIVATE_NOINLINE|INLINE)\b[^;{=(]*?\b(\w+)\(", re.M)


def prefixes_of(path):
    parts = path.split("/")[1:-1]
    for n in range(len(parts), 0, -1):
        folder = "/".join(parts[:n])
        if folder in PREFIXES:
            return PREFIXES[folder].split()
    return [parts[1] + "_"] if parts[0] == "dropin" and len(parts) > 1 else None


for path in sorted(glob.glob("src/**/*.h", recursive=True)):
    allowed = prefixes_of(path)
    text = re.sub(r"__attribute__\(\(.*?\)\)|FL_TARGET\([^)]*\)", "", open(path, encoding="utf-8").read())
    for name in NAME.findall(text):
        is_parameter = name.isupper()  # of a template
        if allowed and not is_parameter and not (name + "_").startswith(tuple(allowed)):
            print("%s: %s does not begin with %s" % (path, name, " or ".join(allowed)))
