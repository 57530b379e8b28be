"""Answers held against openapi.json: is this what the description says?

    described = openapi.Description(served.ask("GET", "/openapi.json")[2])
    described.faults("GET", "/clusters/1", 200, {"cluster": 1, ...})      # ["$.cluster: ..."]

Of JSON Schema it knows the keywords that the service writes, and refuses others: a schema that it cannot read says
nothing. Standard library only.
"""

import re

TYPES = {"null": lambda value: value is None, "boolean": lambda value: isinstance(value, bool),
         "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
         "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
         "string": lambda value: isinstance(value, str), "array": lambda value: isinstance(value, list),
         "object": lambda value: isinstance(value, dict)}
KEYWORDS = {"type", "enum", "const", "anyOf", "$ref", "properties", "required", "additionalProperties", "items", "prefixItems",
            "minItems", "minimum", "maximum", "pattern", "description"}


class Description:
    """Of a service."""

    def __init__(self, document):
        self.document = document
        self.paths = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operations)
                      for path, operations in document["paths"].items()]

    def faults(self, method, target, status, answer):
        """How a JSON answer differs from its description."""
        for path, operations in self.paths:
            operation = operations.get(method.lower())
            if not path.fullmatch(target.partition("?")[0]) or operation is None:
                continue
            if str(status) not in operation["responses"]:
                return [f"{method} {target}: {status} is not described"]
            content = operation["responses"][str(status)]["content"]
            return list(self.differences(answer, content["application/json"]["schema"]))
        # What has no path is told so, in the one form of failures.
        return list(self.differences(answer, {"$ref": "#/components/schemas/Failure"}))

    def differences(self, value, schema, at="$"):
        """The places where a value is not as its schema says."""
        if unknown := set(schema) - KEYWORDS:
            raise ValueError(f"{at}: keywords that this file does not know: {unknown}")
        if "$ref" in schema:
            yield from self.differences(value, self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], at)
        if "anyOf" in schema:
            all_faults = [list(self.differences(value, one, at)) for one in schema["anyOf"]]
            if all(all_faults):
                yield min(all_faults, key=len)[0]
        types = schema.get("type", [])
        if types and not any(TYPES[name](value) for name in ([types] if isinstance(types, str) else types)):
            yield f"{at}: {value!r:.60} is no {types}"
            return
        if ("enum" in schema and value not in schema["enum"]) or ("const" in schema and value != schema["const"]):
            yield f"{at}: {value!r:.60} is none of its values"
        if TYPES["number"](value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{at}: {value} is too small or too large"
        if TYPES["string"](value) and not re.search(schema.get("pattern", ""), value):
            yield f"{at}: {value!r:.60} does not match {schema['pattern']}"
        if TYPES["object"](value):
            yield from self.members(value, schema, at)
        if TYPES["array"](value):
            yield from self.elements(value, schema, at)

    def members(self, value, schema, at):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{at}: has no {name}"
        others = schema.get("additionalProperties", {})
        for name, member in value.items():
            of_name = schema.get("properties", {}).get(name, others)
            if of_name is False:
                yield f"{at}: has an unknown {name}"
            else:
                yield from self.differences(member, of_name, f"{at}.{name}")

    def elements(self, value, schema, at):
        first = schema.get("prefixItems", [])
        if len(value) < schema.get("minItems", 0) or (schema.get("items") is False and len(value) > len(first)):
            yield f"{at}: has {len(value)} elements"
            return
        for i, element in enumerate(value):
            yield from self.differences(element, first[i] if i < len(first) else schema.get("items") or {}, f"{at}[{i}]")

    def open_objects(self, schema, at="$"):
        """The places at which any object would do."""
        if schema.get("type") == "object" and "additionalProperties" not in schema:
            yield at
        for key, value in schema.items():
            for one in value if isinstance(value, list) else value.values() if key == "properties" else [value]:
                if isinstance(one, dict):
                    yield from self.open_objects(one, f"{at}.{key}")
