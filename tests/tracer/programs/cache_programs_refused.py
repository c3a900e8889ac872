"""Programs whose functions are cached and that may be refused: what is remembered only the running program
knows, or the cache outlives the call. And those of torch, whose tensors are keys by what they are. See
cache_programs.py.
"""

#: What is right, or refused: only the running program knows what is remembered.
EITHER = """
@cache
def f(k): return ones(k)
y = x
for i in range(20):
    t = f(3)
    t += 1
    y = y + t
return y

n = 0
@cache
def f(k): return x * n
y = x
for i in range(20):
    n = n + 1
    y = y + f(1)
return y

@cache
def f(k): return ones(k)
y = x
if x.sum() > 0:
    y = y + f(3)
t = f(3)
t += 1
return y + t, f(3)

@cache
def f(k): return ones(k)
y = f(3) if x.sum() > 0 else x
y += 1
return x + f(3)

@cache
def f(k): return ones(k)
y = x
if x.sum() > 0:
    y = f(3)
    y += 1
return x + f(3)

@cache
def f(k): calls.append(k); return k
y = x + f(3) if x.sum() > 0 else x
f(3)
return y, len(calls)

@cache
def f(k): return k
y = x + f(3) if x.sum() > 0 else x
return y, f.cache_info().misses

@cache
def f(k): return [k]
f(3).append(1)
y = x + len(f(3)) if x.sum() > 0 else x
return y + len(f(int(x[0])))

@cache
def f(k): return [k]
return x, f(int(x[0])) is f(3)

@cache
def f(k): return ones(k)
u = f(int(x.shape[0]))
u += 1
return u + f(3)

@cache
def f(k): calls.append(k); return k
return [f(float(v)) for v in x], len(calls)

n = x
@cache
def f(k): return n * k
y = x
if x.sum() > 0:
    n = x + 5
    y = f(1)
n = x * 7
return y + f(1)

@lru_cache(maxsize=1)
def f(k): return ones(k)
u = f(3)
u += 1
y = x + f(3) if x.sum() > 0 else x * f(2)[0]
f(1)
return y + f(3)

@cache
def f(k): calls.append(k); return k
y = x
while y.sum() < 50:
    y = y + 1 + f(3)
return y, len(calls)

@cache
def f(k): return ones(3) * k
y = x
if x.sum() > 0:
    u = f(2)
    u += 1
    y = y + f(2)
return y

@cache
def f(k): return [k]
if x.sum() > 0:
    f(1).append(2)
return x, len(f(1))

@cache
def f(k): return [k]
f(1)
if x.sum() > 0:
    f(1).append(2)
return x, len(f(1))

@cache
def f(k): return [k]
for i in range(20):
    f(1).append(i)
return x, len(f(1))

@cache
def f(k): return ones(3)
u = x
if x.sum() > 0:
    u = f(1)
return x, u is f(1)

@cache
def f(k): return ones(3)
if x.sum() > 0:
    f.cache_clear()
f(1)
return x

@cache
def f(k): return ones(3) * k
u = f(1)
u += 1
if x.sum() > 0:
    f.cache_clear()
return x + f(1)

@cache
def f(k): print(k); return k
return x + f(int(x[0])) + f(int(x[1]))

k = x.shape[0]
@cache
def f(k): return ones(k) * 2
return f(k) + f(k) + f(3)
"""
#: In torch, whose tensors are keys by what they are.
TENSORS = """
@cache
def g(t): return t * 2
u, v = g(x), g(x)
u += 1
return v, u is v

@cache
def g(t): return t * 2
u = g(x)
x = x + 1
return u, g(x)

@cache
def g(t): return t * 2
y = x * 1
u = g(y)
y += 1
return u, g(y)

@cache
def g(t): calls.append(1); return t * 2
y = x * 1
g(y), g(x), g(y)
return x, len(calls)

@cache
def g(t): return t * 2
y = x if x.sum() > 0 else x * 3
return g(y) + g(x)

@cache
def g(t): return t * 2
y = x
for i in range(20):
    y = g(y) / 2 + 1
return y + g(x)

@cache
def g(t, k): return t * k
return g(x, 2) + g(x, 3) + g(x, 2)

@cache
def g(t): return t[0] * 2
return g((x, 1)) + g((x, 1))

u, v = doubled(x), doubled(x)
return u + v, u is v

@cache
def g(t): calls.append(1); return t * 2
g(x), g(x.detach()), g(x)
return x, len(calls)

@cache
def f(k): return x * k
y = x
for i in range(3):
    y = y + f(i)
return y
"""
TENSORS_EITHER = """
@cache
def g(t): calls.append(1); return t * 2
y = x.float()
g(y), g(x)
return x, len(calls)

@cache
def g(t): return t * 2
y = x * 1
u = g(y)
y += 1
z = y if x.sum() > 0 else x
return u, g(z)

@cache
def g(t): return t * 2
y = x * 1
u = g(y)
u += 1
z = y if x.sum() > 0 else x * 5
return u, g(z)

@cache
def g(t): return t * 2
y = x * 1
if x.sum() > 0:
    g(y)
y += 1
return g(y)

@cache
def g(t): calls.append(1); return t * 2
y = x * 1
for i in range(20):
    g(y)
return y, len(calls)

@cache
def g(t): return t * 2
y = x * 1
u = shown(y, g)
y += 1
return u + g(y)

u = doubled(x)
u += 1
return u + doubled(x)

y = x * 1
u = twice(y)
y += 1
return u, doubled(y)
"""
#: What changes, or asks of, a cache that outlives the call.
REFUSED = """
t = table(3); t += 1
return x * table(3)[0]

lists(3).append(x)
return x * len(lists(3))

lists(3).append(1)
return x * len(lists(3))

lists(3)[0] += 1
return x

u = BOX.ones
u += 1
return x + BOX.ones

Box.pair(3).append(x)
return x

return x * table.cache_info().hits

steps(3)
return x * steps.cache_info().hits

t = table(3)
t[0] = 7
return x
"""
