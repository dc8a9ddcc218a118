"""Teaching: learning which queries answer a graph's questions, from pairs of question and answers.

In: pairs, or questions with candidate queries that others rated (`given`). `synthesis` finds the queries that
give the right answers, `training` fits a preference among them, `encoder` fine-tunes MiniLM for it.
Out: what `stored` writes to the graph's folder, and the `LearnedRanker` that uses it.
Source: GraphRAFT, section 4.1.
"""
