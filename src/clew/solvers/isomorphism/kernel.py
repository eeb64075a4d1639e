"""Canonical keys in C: `kernel.c`, compiled once on a machine and loaded. See there for how a graph is written."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from clew.host.compiler import CompilerError, build

FLAGS = ("-O2", "-shared", "-fPIC")
SOURCE = Path(__file__).parent / "kernel.c"


class Kernel:
    """Makes keys of graphs. Its tables are used again and again; one thread at a time may use it."""

    def __init__(self, library: ctypes.PyDLL) -> None:
        self._library = library
        self._place = ctypes.c_void_p(library.clew_kernel_open())
        if not self._place:
            raise MemoryError
        self._key = library.clew_kernel_key

    def declare(self, element: int, label: int) -> None:
        """The label of an element in graphs that only mention it."""
        if self._library.clew_kernel_declare(self._place, element, label) < 0:
            raise MemoryError

    def key(self, graph: bytes) -> bytes | None:
        """The same for isomorphic graphs, and for no others. None if there is too much symmetry, which depends on the
        graph up to isomorphism only."""
        length = self._key(self._place, graph, len(graph))
        if length < 0:
            if length == -1:
                return None
            raise MemoryError
        return ctypes.string_at(self._library.clew_kernel_answer(self._place), length)

    @property
    def searched(self) -> int:
        """In how many graphs vertices had to be told apart one by one."""
        return int(self._library.clew_kernel_searched(self._place))

    def __del__(self) -> None:
        if getattr(self, "_place", None):
            self._library.clew_kernel_close(self._place)
            self._place = ctypes.c_void_p()


def new_kernel() -> Kernel | None:
    """None if it cannot be compiled or loaded here."""
    library = _library()
    return None if library is None else Kernel(library)


@lru_cache(maxsize=1)
def _library() -> ctypes.PyDLL | None:
    """With Python's lock held during calls: they are short, and sorting in C needs a variable of its own."""
    try:
        library: Any = ctypes.PyDLL(str(build(SOURCE.read_text(encoding="utf-8"), None, FLAGS)))
    except (CompilerError, OSError):
        return None
    library.clew_kernel_open.restype = ctypes.c_void_p
    library.clew_kernel_answer.restype = ctypes.c_void_p
    library.clew_kernel_answer.argtypes = library.clew_kernel_close.argtypes = [ctypes.c_void_p]
    library.clew_kernel_searched.argtypes = [ctypes.c_void_p]
    library.clew_kernel_declare.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32]
    library.clew_kernel_key.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32]
    return library  # type: ignore[no-any-return]
