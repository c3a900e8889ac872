"""Subscripts that the tests match, by name."""

MATMUL = "A[~ i j] B[~ j k] -> C[~ i k]"
CONCAT = "X...[*a @k *b] -> Y[*a n *b] where len(a) = axis n = sum(k)"
SPLIT = "X[*a n *b] -> Y...[*a @k *b] where len(a) = axis k = sizes, n == sum(k)"
LINEAR = "X[~ i] W[o i] B?[o] -> Y[~ o]"
LIST = "[a] [b] -> [b] where a = (10,10,10) b = (2,2,2)"
POOL = "X[~ h w] -> Y[~ oh ow] where oh = (h + 2*p - k)//s + 1 ow = (w + 2*p - k)//s + 1"
CONV = (
    "X[n c h w] W[o (c//g) kh kw] B?[o] -> Y[n o oh ow]"
    " where oh = (h+2*p-d*(kh-1)-1)//s+1 ow = (w+2*p-d*(kw-1)-1)//s+1, c % g == 0, o % g == 0"
)
SLICE = "X[*a n *b] -> Y[*a m *b] where len(a) = axis m = slicelen(n, start, stop, step)"
PAD = "X[*s] -> Y[*t] where t = put(s, (-2,-1), (s[-2]+top+bot, s[-1]+left+right))"
TOPK = "X[*a n *b] -> V[*a k *b] I[*a k *b] where len(a) = axis, k <= n"
GATHER = "X[*a n *b] I[*a m *b] -> Y[*a m *b] where len(a) = axis"
LSTM = "X[t b i] H[l b h] W[(4*h) i] -> Y[t b h] H2[l b h]"
SVD = "X[~ m n] -> U[~ m k] S[~ k] V[~ k n] where k = min(m, n)"
