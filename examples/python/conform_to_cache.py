"""The cache as a test suite: what pytest says when an implementation does not keep what the model promises.

    python -m pytest examples/python/conform_to_cache.py

Three tests pass. Those of `Forgetful` and `ForgetfulService` fail, as they should: the failure is the shortest sequence
of actions that shows the bug, and a test case that runs it again.
"""

import sys
from pathlib import Path

import clew

sys.path.insert(0, str(Path(__file__).parent))
import cache_service

MODEL = str(Path(__file__).with_name("cache.py"))
PATIENCE = 60  # seconds for each answer: a slow machine is no error of the cache


@clew.conforms(MODEL, runs=3, timeout=PATIENCE)
def test_threads():
    return cache_service.WithThreads()


@clew.conforms(MODEL, runs=3, timeout=PATIENCE)
def test_asyncio():
    return cache_service.Asynchronous()


@clew.conforms(MODEL, runs=3, timeout=PATIENCE)
def test_service():
    return cache_service.Service()


@clew.conforms(MODEL, timeout=PATIENCE)
def test_forgetful():
    return cache_service.Forgetful()


@clew.conforms(MODEL, timeout=PATIENCE)
def test_forgetful_service():
    return cache_service.ForgetfulService()
