"""The reference engine: plain searches over any `StateSpace`. The yardstick of the fast engines, not one of them."""
