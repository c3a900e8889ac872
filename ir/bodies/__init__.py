"""Bodies: what an op computes, said in other ops."""
