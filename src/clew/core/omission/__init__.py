"""How many states a lossy store misses: the analysis of Dillinger and Manolios (SPIN 2005) and of Stern and Dill
(1995), the size of the state space that follows from a run, and which settings to use next."""
