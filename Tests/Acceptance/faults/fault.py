# SPDX-License-Identifier: Apache-2.0
"""The faults by name and engine: a sentence, and what happens on a stage."""
ENGINES = ("sqlite", "postgres")
faults = {}


class Fault:
    """`body` gets the stage while phones and callers are under way; `seconds` follow in which everything works again. With `own`, it gets
    the options, the seed and a folder, and answers the whole row itself."""

    def __init__(self, name, engine, sentence, seconds, quick, own, settings, body):
        self.name, self.engine, self.sentence, self.seconds, self.quick, self.own = name, engine, sentence, seconds, quick, own
        self.settings, self.body = settings, body


def fault(name, sentence, engine="postgres", seconds=5, quick=False, own=False, **settings):
    def register(body):
        faults[name, engine] = Fault(name, engine, sentence, seconds, quick, own, settings, body)
        return body
    return register


def row(fault, seed, **figures):
    empty = {"acknowledged": 0, "lost": 0, "doubled": 0, "phones": 0, "late": 0, "causes": []}
    return {"fault": fault.name, "engine": fault.engine, "seed": seed} | empty | figures
