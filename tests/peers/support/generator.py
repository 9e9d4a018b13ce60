# SPDX-License-Identifier: MIT
"""generator.py -- random JSON Schemas, and values that mostly nearly match them.

A schema is made for a value: each keyword has a bound at or beside what the value has, and sub-schemas are made for its
members and items, or for a slightly changed one. The values to check are then the value itself and slightly changed ones.
Each schema is valid by its metaschema, its references lead somewhere, and a circle of them goes through members or items."""
import copy

NAMES = ["a", "b", "c", "ab", "x1", "", "é", "a/b", "~", "$ref", "type"]
STRINGS = ["", "a", "b", "ab", "abc", "1", "é", "\U0001f600", "a\n", "A1", "-", "a b", "null", "0"]
NUMBERS = [0, 1, -1, 2, 3, 5, 10, 1.0, 0.5, -0.5, 1.5, 2.5, 100, 0.1, 0.01, 4.02, 1e3, 2 ** 31, -2.0]
PATTERNS = ["^a", "b$", "^[a-z]*$", "[0-9]", "^.$", "^$", "a|b", "^(ab|c)+$", "\\d", "^\\S{1,2}$", "^[^a]", "x", "^a(?!b)", "\\w"]


class Generator:
    def __init__(self, random, draft):
        self.r, self.draft, self.is_new = random, draft, draft == "2020-12"
        self.definitions_name = "$defs" if self.is_new else "definitions"

    # ---- values

    def number(self):
        return self.r.choice(NUMBERS) if self.r.random() < 0.9 else self.r.randint(-20, 20)

    def scalar(self):
        x = self.r.random()
        return self.number() if x < 0.4 else self.r.choice(STRINGS) if x < 0.8 else self.r.choice([None, True, False])

    def value(self, depth):
        x = self.r.random()
        if depth == 0 or x < 0.25:
            return self.scalar()
        if x < 0.6:
            return [self.value(depth - 1) for _ in range(self.r.choice([0, 1, 1, 2, 2, 3, 4]))]
        return {self.r.choice(NAMES): self.value(depth - 1) for _ in range(self.r.choice([0, 1, 2, 2, 3, 4]))}

    def changed_number(self, v):
        return self.r.choice([v + 1, v - 1, v + 0.5, -v, v * 2, str(v), float(v), int(v), v > 0])

    def changed_string(self, v):
        i = self.r.randint(0, len(v))
        return self.r.choice([v + self.r.choice(STRINGS), v[1:], v[:-1], v[:i] + self.r.choice("a1é\n") + v[i:], v.upper(),
                              self.r.choice(STRINGS), [v], 1])

    def changed_array(self, v):
        v, x, r = list(v), self.r.random(), self.r
        i = r.randrange(len(v)) if v else 0
        if x < 0.5 and v:
            v[i] = self.changed(v[i])
        elif x < 0.65 and v:
            del v[i]
        elif x < 0.75 and v:
            v.append(copy.deepcopy(v[i]))
        elif x < 0.8:
            r.shuffle(v)
        elif x < 0.95:
            v.insert(i, self.value(1))
        else:
            return {str(n): item for n, item in enumerate(v)}
        return v

    def changed_object(self, v):
        v, x, r = dict(v), self.r.random(), self.r
        name = r.choice(list(v)) if v else "a"
        if x < 0.55 and v:
            v[name] = self.changed(v[name])
        elif x < 0.7 and v:
            del v[name]
        elif x < 0.8 and v:
            v[r.choice(NAMES)] = v.pop(name)
        elif x < 0.95:
            v[r.choice(NAMES)] = self.value(1)
        else:
            return list(v.values())
        return v

    def changed(self, v):
        if v is None or isinstance(v, bool):
            return self.scalar()
        if isinstance(v, (int, float)):
            return self.changed_number(v)
        if isinstance(v, str):
            return self.changed_string(v)
        return self.changed_array(v) if isinstance(v, list) else self.changed_object(v)

    def near(self, v):
        """The value, or one that has been changed once or twice."""
        x = self.r.random()
        return v if x < 0.7 else self.changed(v) if x < 0.93 else self.changed(self.changed(v))

    # ---- keywords about one type; each adds a few to the schema `s` for the value `v`

    def types(self, v):
        if v is None:
            return ["null"]
        if isinstance(v, bool):
            return ["boolean"]
        if isinstance(v, (int, float)):
            return ["number", "integer"] if v == int(v) else ["number"]
        return ["string" if isinstance(v, str) else "array" if isinstance(v, list) else "object"]

    def add_type(self, s, v):
        known = self.r.choice(self.types(v if self.r.random() < 0.9 else self.value(1)))
        s["type"] = known if self.r.random() < 0.7 else sorted({known, self.r.choice(["null", "string", "integer", "array", "object"])})

    def add_constants(self, s, v):
        if self.r.random() < 0.4:
            s["const"] = v
        else:
            s["enum"] = [v] + [x for x in (self.changed(v), self.scalar()) if not self.is_equal(x, v)][:1]

    @staticmethod
    def is_equal(a, b):
        return repr(a) == repr(b) or (not isinstance(a, bool) and not isinstance(b, bool) and a == b)

    def add_number(self, s, v):
        r = self.r
        for name, delta in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", -1), ("exclusiveMaximum", 1)):
            if r.random() < 0.3:
                s[name] = v + delta * r.choice([0, 0, 1, 0.5])
        if r.random() < 0.3:
            s["multipleOf"] = r.choice([1, 2, 0.5, 1.5, 0.01, 0.1, 3])

    def add_string(self, s, v):
        r = self.r
        if r.random() < 0.4:
            s["minLength"] = max(0, len(v) - r.choice([0, 0, 1]))
        if r.random() < 0.4:
            s["maxLength"] = len(v) + r.choice([0, 0, 1])
        if r.random() < 0.4:
            s["pattern"] = r.choice(PATTERNS)

    def add_array(self, s, v, depth):
        r = self.r
        if r.random() < 0.25:
            s["minItems"] = max(0, len(v) - r.choice([0, 0, 1]))
        if r.random() < 0.25:
            s["maxItems"] = len(v) + r.choice([0, 0, 1])
        if r.random() < 0.25:
            s["uniqueItems"] = r.random() < 0.9
        if depth == 0:
            return
        x = r.random()
        if x < 0.35 and v:
            first = v[:r.randint(1, len(v))]
            listed = [self.schema(item, depth - 1) for item in first]
            s["prefixItems" if self.is_new else "items"] = listed
            if r.random() < 0.5:
                s["items" if self.is_new else "additionalItems"] = self.schema(r.choice(v), depth - 1)
        elif x < 0.7:
            s["items"] = self.schema(r.choice(v) if v else 1, depth - 1)
        if r.random() < 0.25:
            s["contains"] = self.schema(r.choice(v) if v else 1, depth - 1)
            if self.is_new:
                if r.random() < 0.4:
                    s["minContains"] = r.choice([0, 1, 2])
                if r.random() < 0.4:
                    s["maxContains"] = r.choice([0, 1, 2])
        if self.is_new and r.random() < 0.2:
            s["unevaluatedItems"] = self.schema(r.choice(v), depth - 1) if v and r.random() < 0.5 else False

    def add_object(self, s, v, depth):
        r, names = self.r, list(v) + [self.r.choice(NAMES)]
        if r.random() < 0.35:
            s["required"] = sorted(n for n in set(names) if r.random() < 0.4 or n in v and r.random() < 0.4)
        if r.random() < 0.1:
            s["minProperties"] = max(0, len(v) - r.choice([0, 0, 1]))
        if r.random() < 0.1:
            s["maxProperties"] = len(v) + r.choice([0, 0, 1])
        if r.random() < 0.15:
            self.add_dependencies(s, v, names, depth)
        if depth == 0:
            return
        if r.random() < 0.7:
            s["properties"] = {n: self.schema(v.get(n, 1), depth - 1) for n in names if r.random() < 0.7}
        if r.random() < 0.2:
            s["patternProperties"] = {r.choice(PATTERNS): self.schema(v.get(n, 1), depth - 1) for n in names[:2]}
        if r.random() < 0.3:
            s["additionalProperties"] = self.schema(v[names[0]], depth - 1) if v and r.random() < 0.5 else r.random() < 0.2
        if r.random() < 0.1:
            s["propertyNames"] = self.schema(names[0], 0)
        if self.is_new and r.random() < 0.25:
            s["unevaluatedProperties"] = self.schema(v[names[0]], depth - 1) if v and r.random() < 0.4 else False

    def add_dependencies(self, s, v, names, depth):
        r = self.r
        of = r.choice(names)
        if r.random() < 0.5 or depth == 0:
            s["dependentRequired" if self.is_new else "dependencies"] = {of: [r.choice(names)]}
        else:
            s["dependentSchemas" if self.is_new else "dependencies"] = {of: self.schema(v, depth - 1)}

    # ---- keywords about any value

    def add_branches(self, s, v, depth):
        r, x = self.r, self.r.random()

        def branch():
            return self.schema(self.near(v), depth - 1)
        if x < 0.2:
            s["allOf"] = [branch() for _ in range(r.choice([1, 2]))]
        elif x < 0.45:
            s["anyOf"] = [branch() for _ in range(r.choice([1, 2, 3]))]
        elif x < 0.65:
            s["oneOf"] = [branch() for _ in range(r.choice([1, 2, 3]))]
        elif x < 0.75:
            s["not"] = self.schema(self.changed(v), depth - 1)
        else:
            s["if"] = branch()
            for name in ("then", "else"):
                if r.random() < 0.7:
                    s[name] = branch()

    def reference(self, v, depth, is_child):
        """A schema that refers to another one; `is_child`: to the whole, which is about the value around this one."""
        r = self.r
        if is_child and r.random() < 0.2:
            return {"$ref": "#"}
        if self.is_new and is_child and self.has_node and r.random() < 0.3:
            return {"$dynamicRef": "#node"}
        name = "d%d" % len(self.definitions)
        self.definitions[name] = None  # taken, while the schema is made
        made = self.schema(v, depth - 1)
        of = "#/%s/%s" % (self.definitions_name, name)
        if isinstance(made, dict) and r.random() < 0.3:
            if self.is_new and "$ref" not in made:
                made["$anchor"], of = name, "#" + name
            elif not self.is_new and "$ref" not in made:
                made["$id"], of = "#" + name, "#" + name
        self.definitions[name] = made
        s = {"$ref": of}
        if r.random() < (0.4 if self.is_new else 0.03):
            self.add_type(s, v)
        return s

    def schema(self, v, depth, is_root=False):
        """A schema for the value, or for one near it."""
        r = self.r
        if not is_root and r.random() < 0.06:
            return r.choice([True, True, False, {}])
        if depth > 0 and not is_root and r.random() < 0.15:
            return self.reference(v, depth, not is_root and depth < self.depth)
        v, s = self.near(v), {}
        if r.random() < 0.35:
            self.add_type(s, v)
        if r.random() < (0.1 if isinstance(v, (list, dict)) else 0.2):
            self.add_constants(s, v)
        if isinstance(v, (int, float)) and not isinstance(v, bool):
            self.add_number(s, v)
        elif isinstance(v, str):
            self.add_string(s, v)
        elif isinstance(v, list):
            self.add_array(s, v, depth)
        elif isinstance(v, dict):
            self.add_object(s, v, depth)
        if depth > 0 and r.random() < 0.35:
            self.add_branches(s, v, depth)
        if self.is_new and is_root and r.random() < 0.1:
            self.add_resource(s, v)
        return s

    def add_resource(self, s, v):
        """A schema resource in the schema, entered by its URI; both have the dynamic anchor."""
        self.definitions["other"] = {"$id": "other", "$dynamicAnchor": "node", "$defs": {},
                                     "properties": {"a": {"$dynamicRef": "#node"}}, "items": {"$dynamicRef": "#node"}}
        self.definitions["other"].update({k: x for k, x in self.schema(v, 0, True).items() if k not in ("allOf", "$ref")})
        s["$id"], s["$dynamicAnchor"] = "https://example.com/root", "node"
        s.setdefault("anyOf", []).append({"$ref": "other"})

    def pair(self, count):
        """A schema, and `count` values."""
        while True:
            self.depth, self.definitions = self.r.choice([1, 2, 2, 3]), {}
            self.has_node = False
            v = self.value(self.depth)
            s = self.schema(v, self.depth, True)
            if s and not self.has_circle(s):
                break
        if self.definitions:
            s[self.definitions_name] = self.definitions
        s["$schema"] = "https://json-schema.org/draft/2020-12/schema" if self.is_new else "http://json-schema.org/draft-07/schema#"
        values = [v]
        while len(values) < count:
            v2 = self.changed(v)
            values.append(v2 if self.r.random() < 0.6 else self.changed(v2))
        return s, values

    def has_circle(self, s):
        """Does a reference to the whole lead back to it at the same value?"""
        todo, seen = [s], 0
        while todo and seen < 200:
            x, seen = todo.pop(), seen + 1
            if not isinstance(x, dict):
                continue
            if x.get("$ref") == "#":
                return True
            of = str(x.get("$ref", "")).split("/")[-1].lstrip("#")
            todo.append(self.definitions.get(of))
            for name in ("allOf", "anyOf", "oneOf"):
                todo += x.get(name, [])
            todo += [x.get(name) for name in ("not", "if", "then", "else")]
            for name in ("dependentSchemas", "dependencies"):
                todo += x.get(name, {}).values()
        return seen >= 200
