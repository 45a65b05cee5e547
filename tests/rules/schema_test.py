# SPDX-License-Identifier: BSD-3-Clause
"""The JSON Schema of descriptions against the examples of all rules.

    schema_test.py SCHEMA PROGRAM_THAT_PRINTS_THE_EXAMPLES

What conforms must fit the schema. Of what does not, the schema must refuse what it can see: the
form of one process's description, without arithmetic and without the other processes.
"""

import json
import subprocess
import sys

import jsonschema

# Exactly the rules of which the schema refuses an example.
SEEN_BY_THE_SCHEMA = {
    "T02", "T03", "T05", "T06", "T07", "T09", "T11", "T12",
    "D01", "D02", "D03", "D04", "D06", "D08", "D11", "D12", "D13", "D16", "D17", "D23",
    "N02", "B01", "B02", "B03", "P02", "P03", "P18", "C01", "C02", "C05",
    "U01", "U02", "U03", "U04", "U07",
    "V01",  # the empty dictionary under 0.9.x
    "A02", "A04", "A26",
}  # fmt: skip


def main():
    schema_path, program = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    output = subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout
    examples = json.loads(output)

    problems = []
    refused = set()
    for example in examples:
        errors = [error.message for error in validator.iter_errors(example["description"])]
        if example["conforms"] and errors:
            problems.append(f"{example['rule']}: a conforming example is refused: {errors[0]}")
        if errors:
            refused.add(example["rule"])
    for rule in sorted(SEEN_BY_THE_SCHEMA - refused):
        problems.append(f"{rule}: the breaking example fits the schema")
    for rule in sorted(refused - SEEN_BY_THE_SCHEMA):
        problems.append(f"{rule}: an example is refused that this test does not expect to be")
    if len({example["rule"] for example in examples}) < 162:
        problems.append("examples of some rules are missing")
    print("\n".join(problems) or f"{len(examples)} examples")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
