#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sets.py -- makes more public sets for run.py, each a folder with schema.json and instances.jsonl.

    bench/schema/sets.py FOLDER [NAME ...]      makes FOLDER/NAME, without names all: apisix cars fhir geojson openapi-3.0
                                                openapi-3.1 package.json tool-call
    make bench-schema SETS="FOLDER/*"

It needs git and network access; apisix luajit with cjson, geojson node. FHIR's examples are XML: they become JSON by its
definitions. The schema of APISIX's routes is a table of Lua, which is encoded; the routes are those that its tests and
pages give to its API as texts, valid or not. GeoJSON's schema is made by JavaScript; its values are a country each.
package.json's and OpenAPI's are the files that their tests and pages have. cars, a table of records, and tool-call,
arguments as language models write them, have their schemas below; the calls are made up."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

FHIR = ("fhir-ru/built-test", "934af3d83f20df5a79783e8575b34757c41b030b", "/fhir.schema.json", "/examples/patient-example*.xml")
APISIX = ("apache/apisix", "f519a0f04ccfd4c13b5d06caf34bcde8c8593980", "/apisix/schema_def.lua", "/t/admin/routes*", "/t/plugin/*.t", "/docs/en/latest/plugins/*.md")
GEOJSON = ("geojson/schema", "268ba0af5f8f2c455dd0032caca10403b8bf74cc", "/package.json", "/src/schema")
COUNTRIES = ("johan/world.geo.json", "34c96bba9c07d2ceb30696c599bb51a5b939b20f", "/countries/*.geo.json")
OPENAPI = ("seriousme/openapi-schema-validator", "0b8e05a0f4d40cc69cea7a86639010c392e0756e", "/schemas/*/schema.json", "/test/**/petstore*.json")
EXAMPLES = ("OAI/learn.openapis.org", "cff6533ce5444b144946ef6ae2722c34ef6769e0", "/examples/v3.*/*.json")
STORE = ("SchemaStore/schemastore", "3b6446ad8a077bac56f4a4796c0b7fd88927fc8e", "/src/schemas/json/package.json", "/src/*test/package/*.json")
CARS = ("vega/vega-datasets", "cad85578e232704bb0453544742440038038c6a2", "/data/cars.json")
ROUTE = re.compile(r"routes/\w+'[^[{]*(?:\[\[|-d '\s*)(\{.*?\})\s*(?:\]\]|')", re.S)
ENCODE = """local cjson, real = require "cjson", require
function require(name)
  local found, module = pcall(real, name)
  return found and module or setmetatable({}, { __index = function() return function() end end })
end
io.write(cjson.encode(dofile(arg[1]).route))"""


GEOJSON_WRITES = """import schema from "%s/src/schema/GeoJSON.js"
process.stdout.write(JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", ...schema }))"""
MEASURED = {"type": ["number", "null"], "exclusiveMinimum": 0}
CARS_SCHEMA = {"type": "array", "items": {
    "type": "object", "required": ["Name", "Cylinders", "Year", "Origin"], "additionalProperties": False, "properties": {
        "Name": {"type": "string", "minLength": 1}, "Cylinders": {"type": "integer", "minimum": 3, "maximum": 12},
        "Miles_per_Gallon": MEASURED, "Displacement": MEASURED, "Horsepower": MEASURED, "Acceleration": MEASURED,
        "Weight_in_lbs": {"type": "integer", "exclusiveMinimum": 0},
        "Year": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}, "Origin": {"enum": ["USA", "Europe", "Japan"]}}}}
TOOL_SCHEMA = {
    "type": "object", "required": ["title", "start", "minutes"], "additionalProperties": False, "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 200}, "notes": {"type": "string", "maxLength": 2000},
        "start": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z$"},
        "minutes": {"type": "integer", "minimum": 5, "maximum": 1440}, "priority": {"enum": ["low", "normal", "high"]},
        "guests": {"type": "array", "maxItems": 50, "items": {
            "type": "object", "required": ["email"], "additionalProperties": False, "properties": {
                "email": {"type": "string", "pattern": "^[^@ ]+@[^@ ]+$"}, "optional": {"type": "boolean"}}}},
        "place": {"anyOf": [{"type": "string", "minLength": 1}, {
            "type": "object", "required": ["latitude", "longitude"], "properties": {
                "latitude": {"type": "number", "minimum": -90, "maximum": 90},
                "longitude": {"type": "number", "minimum": -180, "maximum": 180}}}]}}}


def checkout(to, name, commit, *paths):
    """The paths of these files of a repository of GitHub, in order."""
    git = ["git", "-C", to]
    url = "https://github.com/" + name
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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(folder, schema, instances):
    with open(folder + "/schema.json", "w", encoding="utf-8") as file:
        file.write(schema)
    with open(folder + "/instances.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in instances)


def fhir(folder):
    files = checkout(folder + "/fhir", *FHIR)
    schema = next(read(path) for path in files if path.endswith("fhir.schema.json"))
    definitions = json.loads(schema)["definitions"]
    return schema, [resource(xml.parse(path).getroot(), "Patient", definitions) for path in files if path.endswith(".xml")]


def routes(files):
    for path in files:
        for found in ROUTE.finditer(read(path)):
            try:
                yield json.loads(found.group(1))
            except ValueError:
                pass  # it is made by code


def apisix(folder):
    files = checkout(folder + "/apisix", *APISIX)
    made = subprocess.run(["luajit", "-", folder + "/apisix/apisix/schema_def.lua"], input=ENCODE, capture_output=True, text=True, check=True)
    return made.stdout, routes(path for path in files if path.endswith((".t", ".md")))


def geojson(folder):
    checkout(folder + "/schema", *GEOJSON)
    script = GEOJSON_WRITES % os.path.abspath(folder + "/schema")
    made = subprocess.run(["node", "--input-type=module"], input=script, capture_output=True, text=True, check=True)
    return made.stdout, [json.loads(read(path)) for path in checkout(folder + "/countries", *COUNTRIES)]


def openapi(folder, version):
    schemas, examples = checkout(folder + "/schemas", *OPENAPI), checkout(folder + "/examples", *EXAMPLES)
    schema = next(read(path) for path in schemas if path.endswith("/schemas/v%s/schema.json" % version))
    values = [json.loads(read(path)) for path in schemas + examples if "/schemas/v" not in path]
    return schema, [value for value in values if value.get("openapi", "").startswith(version + ".")]


def package(folder):
    files = checkout(folder + "/store", *STORE)
    schema = next(read(path) for path in files if "/schemas/json/" in path)
    schema = re.sub(r'"\$ref": "[^"#][^"]*"', '"$comment": "a schema of another file"', schema)
    return schema, [json.loads(read(path)) for path in files if "/schemas/json/" not in path]


def cars(folder):
    return json.dumps(CARS_SCHEMA), [json.loads(read(path)) for path in checkout(folder + "/vega", *CARS)]


def tool_call(_):
    values = []
    for i in range(400):
        value = {"title": "Meeting %d about the budget" % i, "start": "2026-%02d-%02dT%02d:30Z" % (i % 12 + 1, i % 28 + 1, i % 24), "minutes": 15 + i % 60}
        value["guests"] = [{"email": "guest%d@example.com" % n, "optional": n % 2 == 0} for n in range(i % 6)]
        value["place"] = "Room %d" % i if i % 3 else {"latitude": i / 7, "longitude": -i / 3}
        value["priority"] = ("low", "normal", "high", "urgent")[i % 4 if i % 20 == 3 else i % 3]
        values.append(value)
    return json.dumps(TOOL_SCHEMA), values


SETS = {"apisix": apisix, "cars": cars, "fhir": fhir, "geojson": geojson, "openapi-3.0": lambda folder: openapi(folder, "3.0"),
        "openapi-3.1": lambda folder: openapi(folder, "3.1"), "package.json": package, "tool-call": tool_call}
for chosen in sys.argv[2:] or SETS:
    at = os.path.join(sys.argv[1], chosen)
    os.makedirs(at)
    write(at, *SETS[chosen](at))
