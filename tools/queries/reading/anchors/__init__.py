"""The words of a question that name something, as the first items of the chart: names, values, labels, properties."""
