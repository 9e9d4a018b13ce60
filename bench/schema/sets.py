#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sets.py -- makes two more public sets for run.py: FHIR's definitions with its patients, and the routes of APISIX.

    bench/schema/sets.py FOLDER         makes FOLDER/fhir and FOLDER/apisix; needs git, network access, and luajit with cjson
    make bench-schema SETS="FOLDER/fhir FOLDER/apisix"

FHIR's examples are XML: they become JSON by its definitions. The schema of a route is a table of Lua, which is encoded;
the routes are those that APISIX's tests and pages give to its API as texts, valid or not."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

FHIR = ("https://github.com/fhir-ru/built-test", "934af3d83f20df5a79783e8575b34757c41b030b", "/fhir.schema.json", "/examples/patient-example*.xml")
APISIX = ("https://github.com/apache/apisix", "f519a0f04ccfd4c13b5d06caf34bcde8c8593980", "/apisix/schema_def.lua", "/t/admin/routes*", "/t/plugin/*.t", "/docs/en/latest/plugins/*.md")
ROUTE = re.compile(r"routes/\w+'[^[{]*(?:\[\[|-d '\s*)(\{.*?\})\s*(?:\]\]|')", re.S)
ENCODE = """local cjson, real = require "cjson", require
function require(name)
  local found, module = pcall(real, name)
  return found and module or setmetatable({}, { __index = function() return function() end end })
end
io.write(cjson.encode(dofile(arg[1]).route))"""


def checkout(to, url, commit, *paths):
    git = ["git", "-C", to]
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", "--no-checkout", url, to], check=True)
    subprocess.run(git + ["sparse-checkout", "set", "--no-cone"] + list(paths), check=True)
    subprocess.run(git + ["checkout", "-q", commit], check=True)
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(to) if ".git" not in folder for name in names)


def resource(element, name, definitions):
    """The JSON of a resource or of one of its parts, a definition of this name."""
    known, made = definitions[name]["properties"], dict(element.attrib)
    if "resourceType" in known:
        made["resourceType"] = name
    for child in element:
        tag = child.tag.split("}")[1]
        if tag not in known:
            continue
        of = known[tag]
        part = (of.get("items") or of).get("$ref", "").split("/")[-1]
        if tag == "div":
            value = xml.tostring(child, encoding="unicode")
        elif part == "ResourceList":
            value = resource(child[0], child[0].tag.split("}")[1], definitions)
        elif "value" in child.attrib:
            value = child.attrib["value"]
            if "boolean" in (part, of.get("type")) or definitions.get(part, {}).get("type") == "number" or of.get("type") == "number":
                value = json.loads(value)
        elif "properties" in definitions.get(part, ()):
            value = resource(child, part, definitions)
        else:
            continue
        made.update({tag: made.get(tag, []) + [value]} if of.get("type") == "array" else {tag: value})
    return made


def write(folder, schema, instances):
    with open(folder + "/schema.json", "w", encoding="utf-8") as file:
        file.write(schema)
    with open(folder + "/instances.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in instances)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def routes(files):
    for path in files:
        for found in ROUTE.finditer(read(path)):
            try:
                yield json.loads(found.group(1))
            except ValueError:
                pass  # it is made by code


def main():
    fhir, apisix = sys.argv[1] + "/fhir", sys.argv[1] + "/apisix"
    files = checkout(fhir, *FHIR)
    schema = next(read(path) for path in files if path.endswith("fhir.schema.json"))
    definitions = json.loads(schema)["definitions"]
    write(fhir, schema, [resource(xml.parse(path).getroot(), "Patient", definitions) for path in files if path.endswith(".xml")])
    files = checkout(apisix, *APISIX)
    made = subprocess.run(["luajit", "-", apisix + "/apisix/schema_def.lua"], input=ENCODE, capture_output=True, text=True, check=True)
    write(apisix, made.stdout, routes(path for path in files if path.endswith((".t", ".md"))))


main()
