# SPDX-License-Identifier: MIT
"""least.py -- instructions that a verdict in one pass needs beyond the test for validity, counted by hand: what nobody
could do without. For each member 12, and 3 for each eight bytes of its name (find the property, compare, note what is
required, test the type); 6 for each other value. Of the schemas that apply to a value: 12 for each choice between branches
(find the tag, compare it, jump), of which only the cheapest that is valid counts; 6, and 3 for each eight bytes, for a
string that is compared with constants; 3 for each byte that a pattern reads; 6 for each bound; 10 for each item that must
differ. Merging schemas, numbers, defaults and the call cost nothing."""
import json
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": int}
BOUNDS = {"minimum": lambda v, x: v >= x, "maximum": lambda v, x: v <= x, "minLength": lambda v, x: len(v) >= x, "maxLength": lambda v, x: len(v) <= x,
          "minItems": lambda v, x: len(v) >= x, "maxItems": lambda v, x: len(v) <= x, "minProperties": lambda v, x: len(v) >= x}
OF = {"i": (int, float), "L": str, "I": list, "P": dict}  # what a bound is about, by its fourth letter


def words(text):
    return 3 * (len(text.encode()) // 8 + 1)


class Least:
    def __init__(self, schema):
        self.root, self.named = schema, {}
        self.find_names(schema, "")

    def find_names(self, node, base):
        if isinstance(node, dict):
            name = node.get("$id", node.get("id"))
            if isinstance(name, str):
                base = name if ":" in name else base.rsplit("/", 1)[0] + "/" + name
                self.named[base.rstrip("#")] = node
            for key in ("$anchor", "$dynamicAnchor"):
                if isinstance(node.get(key), str):
                    self.named["#" + node[key]] = node
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            self.find_names(child, base)

    def follow(self, reference):
        if reference in self.named:
            return self.named[reference]
        node = self.root
        for step in reference.partition("#")[2].split("/")[1:]:
            step = re.sub("%(..)", lambda m: chr(int(m.group(1), 16)), step).replace("~1", "/").replace("~0", "~")
            node = node[int(step) if isinstance(node, list) else step]
        return node

    def of(self, value):
        return self.ask(self.root, value)[1] + self.names(value)

    def names(self, value):
        if isinstance(value, dict):
            return sum(12 + words(name) + self.names(child) for name, child in value.items())
        return sum(6 + self.names(child) for child in value) if isinstance(value, list) else 0

    def all(self, pairs):
        cost = 0
        for schema, value in pairs:
            fine, more = self.ask(schema, value)
            cost += more
            if not fine:
                return False, cost
        return True, cost

    def ask(self, schema, value):
        """Whether the value is valid, as far as branches need to know, and what the schema asks for beyond names and types."""
        if not isinstance(schema, dict):
            return schema is not False, 0
        pairs, cost = [], 0
        for key in ("$ref", "$dynamicRef", "$recursiveRef"):
            if key in schema:
                pairs.append((self.follow(schema[key]), value))
        types = schema.get("type", [])
        types = types if isinstance(types, list) else [types]
        if types and not any(isinstance(value, TYPES[t]) and (t == "boolean" or not isinstance(value, bool)) for t in types):
            return bool(schema.get("nullable")) and value is None, 0
        constants = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else None
        if constants is not None:
            cost += 6 + (words(value) if isinstance(value, str) else 0)
            if value not in constants:
                return False, 0
        for key, test in BOUNDS.items():
            if key in schema and isinstance(value, OF[key[3]]) and not isinstance(value, bool):
                cost += 6
                if not test(value, schema[key]):
                    return False, 0
        if "pattern" in schema and isinstance(value, str):
            cost += 3 * len(value.encode())
            if not re.search(schema["pattern"], value):
                return False, 0
        if isinstance(value, dict):
            cost += self.members(schema, value, pairs)
            if any(name not in value for name in schema.get("required", ())):
                return False, 0
        elif isinstance(value, list):
            self.items(schema, value, pairs)
            cost += 10 * len(value) if schema.get("uniqueItems") else 0
        pairs += [(one, value) for one in schema.get("allOf", ())]
        for key in ("anyOf", "oneOf"):
            if key in schema:
                found = [self.ask(one, value) for one in schema[key]]
                costs = [more for fine, more in found if fine]
                if not costs or (key == "oneOf" and len(costs) > 1):
                    return False, 0
                cost += 12 + min(costs)
        if "if" in schema:
            cost += 12
            pairs.append((schema.get("then" if self.ask(schema["if"], value)[0] else "else", True), value))
        if "not" in schema:
            cost += 12
            if self.ask(schema["not"], value)[0]:
                return False, 0
        fine, more = self.all(pairs)
        return fine, cost + more

    def members(self, schema, value, pairs):
        cost, known = 0, schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        for name, child in value.items():
            of = [known[name]] if name in known else []
            cost += 0 if of else sum(3 * min(len(name), len(p)) for p in patterns)
            of += [one for pattern, one in patterns.items() if re.search(pattern, name)]
            pairs += [(one, child) for one in of or [schema.get("additionalProperties", True)]]
        for name, one in {**schema.get("dependentSchemas", {}), **schema.get("dependencies", {})}.items():
            if name in value and not isinstance(one, list):
                cost += 12
                pairs.append((one, value))
        return cost

    @staticmethod
    def items(schema, value, pairs):
        items = schema.get("items", True)
        first = schema.get("prefixItems", items if isinstance(items, list) else [])
        rest = schema.get("additionalItems", True) if isinstance(items, list) else items
        pairs += [(first[i] if i < len(first) else rest, child) for i, child in enumerate(value)]


def count(schema, texts):
    """The instructions for all texts beyond the test for validity."""
    least = Least(json.loads(schema))
    return sum(least.of(json.loads(text)) for text in texts)
