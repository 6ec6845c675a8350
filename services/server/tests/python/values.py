"""Values for declared fields, and values that break them, each with what the server has to say (process.md §3)."""

LINK = {"kind": "link", "ref": "https://example.com/records/1"}
SAMPLES = {
    "string": ["Ærø", "two\nlines", "x"],
    "number": [0, -12.5, 1_000_000],
    "boolean": [True, False],
    "date": ["2028-02-29", "2026-12-31"],
    "datetime": ["2027-01-31T23:59:59.5+01:00", "2026-06-30T12:00:00Z"],
    "list": [[], ["a", 1, None, {"b": None}]],
    "object": [{}, {"a": [None], "b": {"c": 0.5}}],
    "person": ["kofi@example.com", "HUGO@example.com"],
}
WRONG = {
    "string": 1, "number": "1", "boolean": "yes", "date": "2027-02-29", "datetime": "2027-01-31 23:59:59", "list": {},
    "object": [], "person": "nobody",
}


def type_of(field) -> str:
    return field if isinstance(field, str) else field["type"]


def is_optional(field) -> bool:
    return isinstance(field, dict) and field.get("optional", False)


def good(fields: dict | None, seed: int) -> dict:
    """A value for every field; optional ones are left out of every second."""
    fields = fields or {}
    return {name: _value(field, seed + at) for at, (name, field) in enumerate(fields.items()) if seed % 2 or not is_optional(field)}


def bad(fields: dict | None, seed: int) -> tuple[dict, list[str]]:
    """Something wrong with every field and one field too many; and all that is to be said of it."""
    output, issues = {"undeclared": None}, ["output.undeclared: not declared"]
    for at, (name, field) in enumerate((fields or {}).items()):
        if (seed + at) % 3 == 0 and not is_optional(field):
            issues.append(f"output.{name}: missing")
        else:
            output[name], issue = _broken(field, f"output.{name}", seed + at)
            issues.append(issue)
    return output, issues


def _value(field, seed: int):
    if isinstance(field, dict):
        if "one_of" in field:
            return field["one_of"][seed % len(field["one_of"])]
        if "items" in field:
            return [_value(field["items"], seed + at) for at in range(seed % 3)]
    samples = SAMPLES[type_of(field)]
    return samples[seed % len(samples)]


def _broken(field, path: str, seed: int):
    """A wrong value and the sentence about it: in a list's last item, outside the choice, null, or of another type."""
    if isinstance(field, dict) and "items" in field and seed % 2:
        fine = _value(field["items"], seed)
        wrong, issue = _broken(field["items"], f"{path}[1]", seed)
        return [fine, wrong], issue
    if isinstance(field, dict) and "one_of" in field:
        choice = ", ".join(str(value) for value in field["one_of"])
        return {"string": "none of these", "number": -1}[field["type"]], f"{path}: expected one of {choice}"
    wrong = None if seed % 4 == 3 else WRONG[type_of(field)]
    return wrong, f"{path}: expected {type_of(field)}"
