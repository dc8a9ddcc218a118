"""Questions about all of something: how many, how much on average, the top five, one number for each group."""
