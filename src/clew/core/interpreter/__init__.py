"""The reference interpreter: what a `Network` means, as a `StateSpace`."""

from clew.core.interpreter.product import claim_product, trace_product
from clew.core.interpreter.space import NetworkSpace
from clew.core.interpreter.state import Move, Process, State, Unsupported

__all__ = ["Move", "NetworkSpace", "Process", "State", "Unsupported", "claim_product", "trace_product"]
