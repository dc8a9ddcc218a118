"""What lies around entities: paths, triplets, neighbourhoods, and rerankers over them."""
