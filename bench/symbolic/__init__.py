"""The symbolic and SMT engines beside the explicit ones: agreement, and models that only sets of states can hold."""
