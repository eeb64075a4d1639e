"""Rooted graphs with labels: whether two are the same up to the identity of vertices; canonical orders and keys."""

from clew.solvers.isomorphism.canonical import Figures, canonical_order
from clew.solvers.isomorphism.graph import LabelledGraph
from clew.solvers.isomorphism.kernel import Kernel, new_kernel
from clew.solvers.isomorphism.match import Matcher, isomorphism

__all__ = ["Figures", "Kernel", "LabelledGraph", "Matcher", "canonical_order", "isomorphism", "new_kernel"]
