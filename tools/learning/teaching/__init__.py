"""Learning which queries answer a graph's questions, from pairs of question and answers."""
