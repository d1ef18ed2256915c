"""Metamorphic testing: relations between calls, for functions whose correct output nobody can state."""

from dodona.domains import booleans, floats, integers, lists, texts
from dodona.programs import program
from dodona.relations import NotEligible, NotTested, Relation, assume, relation

__all__ = ["NotEligible", "NotTested", "Relation", "assume", "booleans", "floats", "integers", "lists", "program", "relation", "texts"]
