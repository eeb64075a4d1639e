/* one_worker.h: what tcc lacks of the compilers that the runtime is written for, for programs with one worker. Compiling a
 * small program takes 20 ms with it, and half a second without. */
#ifndef BENCH_ONE_WORKER_H
#define BENCH_ONE_WORKER_H

#define __ATOMIC_RELAXED 0
#define __ATOMIC_ACQUIRE 0
#define __ATOMIC_RELEASE 0
#define __ATOMIC_ACQ_REL 0
#define __ATOMIC_SEQ_CST 0
#define __thread
#define __typeof__ typeof
#define __atomic_load_n(p, o) (*(p))
#define __atomic_store_n(p, v, o) ((void)(*(p) = (v)))
#define __atomic_fetch_add(p, v, o) ({ typeof(*(p)) old_ = *(p); *(p) = old_ + (v); old_; })
#define __atomic_fetch_or(p, v, o) ({ typeof(*(p)) old_ = *(p); *(p) = old_ | (v); old_; })
#define __atomic_fetch_and(p, v, o) ({ typeof(*(p)) old_ = *(p); *(p) = old_ & (v); old_; })
#define __atomic_exchange_n(p, v, o) ({ typeof(*(p)) old_ = *(p); *(p) = (v); old_; })
#define __atomic_add_fetch(p, v, o) (*(p) += (v))
#define __atomic_sub_fetch(p, v, o) (*(p) -= (v))
#define __atomic_or_fetch(p, v, o) (*(p) |= (v))
#define __atomic_compare_exchange_n(p, e, v, w, s, f) (*(p) == *(e) ? (*(p) = (v), 1) : (*(e) = *(p), 0))
#define __atomic_test_and_set(p, o) ({ int old_ = *(char *)(p); *(char *)(p) = 1; old_; })
#define __atomic_clear(p, o) ((void)(*(char *)(p) = 0))
#define __builtin_prefetch(...) ((void)0)
#define __builtin_expect(x, y) (x)
#define __builtin_popcountll popcount_
#define __builtin_ctzll ctz_
#define __builtin_ctz ctz_
#define __builtin_clzll clz_
static int popcount_(unsigned long long x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
static int ctz_(unsigned long long x) { int n = 0; for (; !(x & 1); x >>= 1) n++; return n; }
static int clz_(unsigned long long x) { int n = 0; for (; !(x >> 63); x <<= 1) n++; return n; }
#define _Pragma(x)
#define __builtin_ia32_pause() ((void)0)

#endif
