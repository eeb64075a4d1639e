"""All engines, searches, stores and reductions on the same questions: nobody may contradict anybody."""
