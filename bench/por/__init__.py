"""Partial-order reduction: the table of Bosnacki and Holzmann (SPIN 2005), Spin's reduction, and random programs.

python -m bench.por table CORPUS            their models, three provisos, next to their figures
python -m bench.por compare CORPUS...       states and time with reduction, next to Spin's and to the full search
python -m bench.por cost CORPUS...          instructions with reduction, next to those without
python -m bench.por corpus CORPUS...        all models and their formulas: the same answers with and without reduction
python -m bench.por audit MODEL             the graph that a reduced search explores: is the proviso kept?
python -m bench.por random --count 1000     generated programs: the same answers with and without reduction
python -m bench.por random --ltl ...        the same with random formulas
python -m bench.por random --handshakes ... programs that are nearly all handshakes in atomic sequences
"""
