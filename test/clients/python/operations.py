"""Imports every module of the generated client, and prints its operations and models as JSON."""

import importlib
import json
import pkgutil

import payto

names = [module.name for module in pkgutil.walk_packages(payto.__path__, "payto.")]
modules = {name: importlib.import_module(name) for name in names}
operations = [name.rsplit(".", 1)[1] for name, module in modules.items() if hasattr(module, "sync_detailed")]
print(json.dumps({"operations": operations, "schemas": modules["payto.models"].__all__}))
