"""Rooted graphs with labels: whether two are the same up to the identity of vertices; a canonical order of vertices."""

from clew.solvers.isomorphism.canonical import Figures, canonical_order
from clew.solvers.isomorphism.graph import LabelledGraph
from clew.solvers.isomorphism.match import Matcher, isomorphism

__all__ = ["Figures", "LabelledGraph", "Matcher", "canonical_order", "isomorphism"]
