"""Validates the files of a folder by the ends of their names, and says what is wrong with each.

    python check.py FOLDER
"""

import csv
import json
import pathlib
import re
import sys

import jsonschema
from lxml import etree

HERE = pathlib.Path(__file__).parent
csv.field_size_limit(1 << 30)


def xml(path):
    # A very long text is as good as a short one.
    return etree.parse(str(path), etree.XMLParser(huge_tree=True)).getroot()


def junit(path):
    root = xml(path)
    etree.XMLSchema(etree.parse(str(HERE / "junit.xsd"))).assertValid(root)
    for suite in root:
        cases = suite.findall("testcase")
        count = lambda kind: sum(case.find(kind) is not None for case in cases)
        told = [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")]
        assert told == [len(cases), count("failure"), count("error"), count("skipped")], "counts of a suite"
        assert all(float(case.get("time")) >= 0 for case in cases), "times"
    for name in ("tests", "failures", "errors"):
        assert int(root.get(name)) == sum(int(suite.get(name)) for suite in root), "counts of all suites"


def parsed_json(path):
    def constant(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(path.read_text("utf-8"), parse_constant=constant)


def cobertura(path):
    root = xml(path)
    etree.XMLSchema(etree.parse(str(HERE / "cobertura.xsd"))).assertValid(root)
    files = [one.get("filename") for one in root.iter("class")]
    assert len(files) == len(set(files)), "a file twice"
    lines = list(root.iter("line"))
    covered = sum(int(line.get("hits")) > 0 for line in lines)
    assert [root.get("lines-covered"), root.get("lines-valid")] == [str(covered), str(len(lines))], "lines"
    shares = [re.fullmatch(r"\d+% \((\d+)/(\d+)\)", line.get("condition-coverage", "0% (0/0)")).groups() for line in lines]
    sums = [str(sum(int(share[place]) for share in shares)) for place in (0, 1)]
    assert [root.get("branches-covered"), root.get("branches-valid")] == sums, "branches"
    for line in lines:
        assert (line.get("branch") == "true") == ("condition-coverage" in line.attrib) == (len(line) > 0), "a line without its branches"
    rate = lambda part, whole: int(part) / int(whole) if int(whole) else 0
    assert float(root.get("line-rate")) == rate(covered, len(lines)), "rate of lines"
    assert float(root.get("branch-rate")) == rate(*sums), "rate of branches"


def closed(schema):
    """The same schema that also refuses fields which it does not name: readers take new fields, but the program writes none without a schema."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: closed(value) for key, value in schema.items()}
    if own.get("type") != "object" or "properties" not in own:
        return own
    assert not {"allOf", "anyOf", "oneOf"} & own.keys(), "fields in several places"
    return {"additionalProperties": False, **own}


def record(path):
    """NAME.record.json, where NAME may have a number at its end, against the schema of that record."""
    name = re.fullmatch(r"(.*\.)?([a-z]+)(-\d+)?\.record\.json", path.name)[2]
    schema = json.loads((HERE / "records" / f"{name}.schema.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    document = parsed_json(path)
    validator(schema).validate(document)
    validator(closed(schema)).validate(document)
    if name == "mutate":
        totals(path)


def sarif(path):
    log = parsed_json(path)
    schema = json.loads((HERE / "sarif-2.1.0.json").read_text("utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(log)


def worker(path):
    """Lines of a worker and of Dodona in turn, as they are said: the hello, the greeting, and then requests and answers."""
    schema = json.loads((HERE / "worker-protocol.schema.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)

    def constant(name):
        raise AssertionError(f"{name} is no JSON")

    lines = [json.loads(line, parse_constant=constant) for line in path.read_text("utf-8").splitlines()]
    assert len(lines) >= 2 and len(lines) % 2 == 0, f"{len(lines)} lines"
    turns = [("codeRequest", "codeAnswer") if "code" in request else ("request", "answer") for request in lines[2::2]]
    kinds = ["hello", "greeting"] + [kind for turn in turns for kind in turn]
    for line, kind in zip(lines, kinds):
        assert isinstance(line, dict), f"{kind} {line!r}"
        validator({"$ref": f"#/$defs/{kind}", **{key: schema[key] for key in ("$schema", "$defs")}}).validate(line)
    for request, answer in zip(lines[2::2], lines[3::2]):
        assert request["id"] == answer["id"], f"{request} {answer}"
        for key in ("values", "ran") if "trace" in request else ("values",) if "rows" in request else ():
            assert len(request["rows"]) == len(answer[key]), f"{request} {answer}"


def totals(path):
    columns = ("killed", "crashed", "timed_out", "alive", "untested", "equivalent", "duplicates", "accepted", "not_run")
    for subject in parsed_json(path)["subjects"]:
        rows = [subject["totals"], *subject["by_operator"]]
        for row in rows:
            assert sum(row[column] for column in columns) == row["mutants"], f"{row} does not add up"
        statuses = [mutant["judgement"]["status"].replace("-", "_") for mutant in subject["mutants"]]
        names = {"duplicates": "duplicate"}
        for column in columns:
            assert statuses.count(names.get(column, column)) == subject["totals"][column], column


def table(path):
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    assert rows and all(len(row) == len(rows[0]) for row in rows), "rows of different lengths"


def github(path):
    """Reads lines as the runner of GitHub Actions does."""
    for line in path.read_text("utf-8").split("\n"):
        if line.lstrip().startswith("::"):
            command = re.fullmatch(r"::(error|warning|notice) ([^\r:]*)::([^\r]*)", line)
            assert command, f"no workflow command: {line!r}"
            keys = [pair.split("=", 1)[0] for pair in command[2].split(",")]
            assert keys in (["file", "title"], ["file", "line", "title"]), f"properties: {line!r}"
            for text in command.groups():
                assert not re.search(r"%(?!25|0D|0A|3A|2C)", text), f"a percent sign that is not escaped: {text!r}"
        else:
            assert "##[" not in line and "\r" not in line, f"another command: {line!r}"


def lcov(path):
    for line in path.read_text("utf-8").splitlines():
        assert line == "end_of_record" or re.match(r"(TN|SF|DA|BRDA|BRF|BRH|LF|LH|FN|FNDA|FNF|FNH):", line), line


def markdown(path):
    """A table has as many cells in each row, and code has an end."""
    text = path.read_text("utf-8")
    assert text.count("```") % 2 == 0, "code without an end"
    rows = [line for line in text.splitlines() if line.startswith("|")]
    cells = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert len(cells) == 1, f"rows of different lengths: {cells}"


KINDS = {
    ".junit.xml": junit,
    ".sarif": sarif,
    ".record.json": record,
    ".worker.jsonl": worker,
    ".json": parsed_json,
    ".csv": table,
    ".github": github,
    ".svg": xml,
    ".lcov": lcov,
    ".cobertura": cobertura,
    ".markdown": markdown,
}


def main(folder):
    wrong, seen = 0, 0
    for path in sorted(pathlib.Path(folder).iterdir()):
        kind = next((kind for end, kind in KINDS.items() if path.name.endswith(end)), None)
        if kind is None:
            continue
        seen += 1
        try:
            kind(path)
        except Exception as error:  # whatever a validator says
            wrong += 1
            print(f"{path.name}: {type(error).__name__}: {str(error)[:2000]}")
    print(f"{seen} files, {wrong} wrong")
    return 1 if wrong or not seen else 0


sys.exit(main(sys.argv[1]))
