"""The native engine on many machines, by means of Ray: exhaustive searches in partitions, and swarms."""
