"""From a question and linked entities to valid queries: their space, their ranking, aggregation, plans and paths."""
