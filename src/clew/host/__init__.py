"""What surrounds a run: reading sources, asking engines, interrupts, the folder of runs."""
