"""YAML 1.2 with PyYAML, which knows YAML 1.1: the core schema decides what is a number, a boolean or null."""

import json
import re

import yaml

CORE_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+")


class Dumper(yaml.SafeDumper):
    """Writes strings, numbers and shared values as YAML 1.2 reads them."""

    shares = False

    def ignore_aliases(self, data):
        return not self.shares or not isinstance(data, (dict, list)) or not data


class SharingDumper(Dumper):
    """Writes a value that occurs several times as an anchor and aliases."""

    shares = True


def represent_string(dumper, text):
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="'" if CORE_NUMBER.fullmatch(text) else None)


def represent_float(dumper, number):
    return dumper.represent_scalar("tag:yaml.org,2002:float", json.dumps(number))


Dumper.add_representer(str, represent_string)
Dumper.add_representer(float, represent_float)


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Reads plain scalars by the core schema: `on`, `yes` and dates are strings."""

    yaml_implicit_resolvers = {}


for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"null|Null|NULL|~|", ["n", "N", "~", ""]),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))


def load(text):
    return yaml.load(text, Loader=Loader)


def dump(value, **options):
    """Returns the value as YAML, in the order of its members."""
    return yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, **options)
