/* Canonical keys of rooted graphs with labelled vertices and edges.
 *
 *   open, close      a kernel: tables that grow and are used again for each graph
 *   declare          the label of an element that a graph only mentions
 *   key              a graph as records of 32-bit numbers -> a key as bytes: the same for isomorphic graphs, and
 *                    different for others; or -1: too much symmetry to be searched here, let nauty do it
 *
 * A record is  element, label, count, (edge label, target) x count.  `element` is the number of an element, or -1 for a
 * vertex without one. A target is the number of an element, or -1 - k for the k-th vertex of the same block; a block is
 * its number of records and then the records.
 *
 * 1. Refinement of an ordered partition by a list of splitters (as in McKay, "Practical graph isomorphism", 1981); each
 *    step looks at touched vertices only, so that a model without unordered collections takes linear time, but for the
 *    sorting of its labels.
 * 2. What is left alike falls into components: between two cells, edges that go from all vertices to all are left out.
 *    Components are independent of each other; they are put in order by their own canonical forms.
 * 3. In a component, each vertex of its first cell is told apart in turn, and 1 and 2 repeated; the least form wins. The
 *    number of such steps depends on the graph up to isomorphism only, and so does giving up beyond MOST_STEPS. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 256
#define MOST_DEPTH 24
#define TOUCHED ((uint64_t)1 << 63) /* in every sum of edges: none of them is 0 */

typedef struct { int32_t kind, other; } Arc;       /* kind: 2 * edge label, + 1 for the way back */
typedef struct { int32_t *at; size_t room; } Ints; /* a table that grows */

/* The vertices in an order; a cell is a stretch of it whose vertices look alike so far. */
typedef struct {
    int32_t *order, *place;  /* vertex at a place, place of a vertex */
    int32_t *start, *length; /* first place of a vertex' cell; length of the cell that starts at a place */
} Partition;

typedef struct {
    /* elements */
    Ints label_of, vertex_of, seen;
    int32_t epoch;
    /* the graph */
    int32_t vertices, arcs;
    Ints label, from, kind, to, first;
    Arc *arc;
    size_t arc_room;
    /* partitions, one for each depth of the search */
    Ints partitions[MOST_DEPTH];
    /* refinement */
    uint64_t *sum;
    size_t sum_room;
    Ints queue, queued, touched, touched_cells, touched_count, scratch;
    /* components */
    Ints parent, count, forms;
    int32_t steps, searched; /* in this graph; graphs with any */
    /* the answer */
    unsigned char *key;
    size_t key_room, key_length;
    int failed; /* no memory */
} Kernel;

/* --- tables --- */

static int32_t *ints(Kernel *k, Ints *table, size_t count) {
    if (count > table->room) {
        size_t room = table->room ? table->room : 64;
        while (room < count) room *= 2;
        int32_t *more = realloc(table->at, room * sizeof *more);
        if (!more) { k->failed = 1; return NULL; }
        memset(more + table->room, 0, (room - table->room) * sizeof *more);
        table->at = more;
        table->room = room;
    }
    return table->at;
}

static uint64_t mixed(uint64_t x) { /* finaliser of splitmix64 */
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* --- reading a graph --- */

static int32_t vertex(Kernel *k, int32_t element) { /* of an element: a new one when it is met first */
    if (k->seen.at[element] != k->epoch) {
        int32_t v = k->vertices++;
        if (!ints(k, &k->label, (size_t)v + 1)) return 0;
        k->seen.at[element] = k->epoch;
        k->vertex_of.at[element] = v;
        k->label.at[v] = k->label_of.at[element];
    }
    return k->vertex_of.at[element];
}

static int32_t anonymous(Kernel *k) {
    int32_t v = k->vertices++;
    return ints(k, &k->label, (size_t)v + 1) ? v : 0;
}

static void read_graph(Kernel *k, const int32_t *word, const int32_t *end) {
    k->epoch++;
    k->vertices = k->arcs = 0;
    size_t most = (size_t)(end - word) / 2 + 1;
    if (!ints(k, &k->from, most) || !ints(k, &k->kind, most) || !ints(k, &k->to, most)) return;
    while (word < end && !k->failed) {
        int32_t records = *word++;
        int32_t *local = ints(k, &k->scratch, (size_t)records);
        if (!local) return;
        const int32_t *at = word;
        for (int32_t n = 0; n < records; n++, at += 3 + 2 * at[2])
            local[n] = at[0] < 0 ? anonymous(k) : vertex(k, at[0]);
        for (int32_t n = 0; n < records && !k->failed; n++) {
            int32_t v = local[n], count = word[2];
            k->label.at[v] = word[1];
            word += 3;
            for (; count; count--, word += 2) {
                k->from.at[k->arcs] = v;
                k->kind.at[k->arcs] = word[0];
                k->to.at[k->arcs++] = word[1] < 0 ? local[-1 - word[1]] : vertex(k, word[1]);
            }
        }
    }
    if (k->failed) return;
    int32_t *first = ints(k, &k->first, (size_t)k->vertices + 2);
    size_t arcs = 2 * (size_t)k->arcs + 1;
    if (arcs > k->arc_room) {
        Arc *more = realloc(k->arc, 2 * arcs * sizeof *more);
        if (!more) { k->failed = 1; return; }
        k->arc = more;
        k->arc_room = 2 * arcs;
    }
    if (!first) return;
    memset(first, 0, ((size_t)k->vertices + 2) * sizeof *first);
    for (int32_t e = 0; e < k->arcs; e++) first[k->from.at[e] + 2]++, first[k->to.at[e] + 2]++;
    for (int32_t v = 0; v < k->vertices; v++) first[v + 2] += first[v + 1];
    for (int32_t e = 0; e < k->arcs; e++) {
        k->arc[first[k->from.at[e] + 1]++] = (Arc){2 * k->kind.at[e], k->to.at[e]};
        k->arc[first[k->to.at[e] + 1]++] = (Arc){2 * k->kind.at[e] + 1, k->from.at[e]};
    }
}

/* --- partitions --- */

static Partition partition(Kernel *k, int depth) {
    size_t n = (size_t)k->vertices;
    int32_t *at = ints(k, &k->partitions[depth], 4 * n + 1);
    return (Partition){at, at + n, at + 2 * n, at + 3 * n};
}

static void copy(Kernel *k, Partition to, Partition from) {
    memcpy(to.order, from.order, 4 * (size_t)k->vertices * sizeof *to.order);
}

static void enqueue(Kernel *k, int32_t *tail, int32_t cell) {
    if (k->queued.at[cell] == 0) {
        k->queued.at[cell] = 1;
        k->queue.at[(*tail)++ % k->vertices] = cell;
    }
}

static void sort_by_sum(const uint64_t *sum, int32_t *v, int32_t count) { /* heap sort beyond a few */
    if (count < 24) {
        for (int32_t i = 1; i < count; i++) {
            int32_t x = v[i], j = i;
            for (; j && sum[v[j - 1]] > sum[x]; j--) v[j] = v[j - 1];
            v[j] = x;
        }
        return;
    }
    for (int32_t end = count, root = count / 2; end > 1;) {
        int32_t x;
        if (root) x = v[--root];
        else { x = v[--end]; v[end] = v[0]; }
        int32_t hole = root;
        for (int32_t child; (child = 2 * hole + 1) < end; hole = child) {
            if (child + 1 < end && sum[v[child + 1]] > sum[v[child]]) child++;
            if (sum[v[child]] <= sum[x]) break;
            v[hole] = v[child];
        }
        v[hole] = x;
    }
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void sort_numbers(int32_t *at, int32_t count) {
    if (count > 24) { qsort(at, (size_t)count, sizeof *at, by_number); return; }
    for (int32_t i = 1; i < count; i++) {
        int32_t x = at[i], j = i;
        for (; j && at[j - 1] > x; j--) at[j] = at[j - 1];
        at[j] = x;
    }
}

/* Splits the end of a cell, whose vertices there are sorted by their sums, wherever the sum changes. All new cells but
 * the largest become splitters, or all of them if the cell was one. */
static void split(Kernel *k, Partition p, int32_t cell, int32_t touched, int32_t *tail) {
    int32_t length = p.length[cell], end = cell + length, begin = end - touched;
    int32_t parts = 0, largest = begin > cell ? cell : -1, size = begin - cell;
    int32_t *cut = k->touched.at; /* its vertices are in place already */
    if (begin > cell) { p.length[cell] = size; cut[parts++] = cell; }
    for (int32_t at = begin; at < end;) {
        int32_t next = at + 1;
        while (next < end && k->sum[p.order[next]] == k->sum[p.order[at]]) next++;
        p.length[at] = next - at;
        for (int32_t i = at; i < next; i++) p.start[p.order[i]] = at;
        if (next - at > size) { size = next - at; largest = at; }
        cut[parts++] = at;
        at = next;
    }
    if (parts == 1) return;
    int32_t was_queued = k->queued.at[cell];
    for (int32_t n = 0; n < parts; n++)
        if (was_queued || cut[n] != largest) enqueue(k, tail, cut[n]);
}

/* Until every two vertices of a cell have the same number of edges of each kind to each cell. `head` to `tail` of the
 * queue are the cells that have changed. */
static void refine(Kernel *k, Partition p, int32_t head, int32_t tail) {
    int32_t *moved = k->touched_count.at, *cells = k->touched_cells.at;
    while (head < tail) {
        int32_t splitter = k->queue.at[head++ % k->vertices], found = 0, number = 0;
        k->queued.at[splitter] = 0;
        for (int32_t i = splitter; i < splitter + p.length[splitter]; i++) {
            int32_t w = p.order[i];
            for (int32_t e = k->first.at[w]; e < k->first.at[w + 1]; e++) {
                int32_t u = k->arc[e].other;
                if (p.length[p.start[u]] == 1) continue;
                if (k->sum[u] == 0) k->touched.at[found++] = u;
                k->sum[u] = (k->sum[u] + mixed((uint64_t)k->arc[e].kind)) | TOUCHED;
            }
        }
        for (int32_t n = 0; n < found; n++) { /* to the ends of their cells */
            int32_t u = k->touched.at[n], cell = p.start[u];
            if (moved[cell] == 0) cells[number++] = cell;
            int32_t there = cell + p.length[cell] - ++moved[cell], here = p.place[u], w = p.order[there];
            p.order[here] = w, p.place[w] = here;
            p.order[there] = u, p.place[u] = there;
        }
        sort_numbers(cells, number);
        for (int32_t n = 0; n < number; n++) {
            int32_t cell = cells[n], count = moved[cell], end = cell + p.length[cell];
            moved[cell] = 0;
            sort_by_sum(k->sum, p.order + end - count, count);
            for (int32_t i = end - count; i < end; i++) p.place[p.order[i]] = i;
            split(k, p, cell, count, &tail);
            for (int32_t i = end - count; i < end; i++) k->sum[p.order[i]] = 0;
        }
    }
}

static void first_partition(Kernel *k, Partition p) { /* by label and number of edges */
    int32_t n = k->vertices, tail = 0;
    for (int32_t v = 0; v < n; v++) {
        p.order[v] = v;
        k->sum[v] = (uint64_t)(uint32_t)k->label.at[v] << 32 | (uint32_t)(k->first.at[v + 1] - k->first.at[v]);
    }
    sort_by_sum(k->sum, p.order, n);
    for (int32_t at = 0; at < n;) {
        int32_t next = at;
        while (next < n && k->sum[p.order[next]] == k->sum[p.order[at]]) {
            p.place[p.order[next]] = next;
            p.start[p.order[next++]] = at;
        }
        p.length[at] = next - at;
        enqueue(k, &tail, at);
        at = next;
    }
    memset(k->sum, 0, (size_t)n * sizeof *k->sum);
    refine(k, p, 0, tail);
}

static void tell_apart(Kernel *k, Partition p, int32_t v) { /* v from the rest of its cell */
    int32_t cell = p.start[v], last = cell + p.length[cell] - 1, here = p.place[v], w = p.order[last], tail = 0;
    p.order[here] = w, p.place[w] = here;
    p.order[last] = v, p.place[v] = last;
    p.start[v] = last, p.length[last] = 1, p.length[cell]--;
    enqueue(k, &tail, last);
    refine(k, p, 0, tail);
}

/* --- components --- */

static int32_t root(int32_t *parent, int32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Whether the edges of one kind from v to a cell say nothing: to all its vertices, or only to v itself. */
static int is_uniform(Partition p, int32_t v, int32_t cell, int32_t distinct, int32_t loops) {
    if (p.start[v] == cell) return distinct == loops || distinct - loops == p.length[cell] - 1;
    return distinct == p.length[cell];
}

/* Joins the vertices of one component of the edges that say something; `parent` maps vertices of the list to roots. */
static void components(Kernel *k, Partition p, const int32_t *list, int32_t size, int32_t *parent) {
    int32_t *count = k->count.at; /* 1: an edge of this kind goes there */
    for (int32_t n = 0; n < size; n++) parent[list[n]] = list[n];
    for (int32_t n = 0; n < size; n++) {
        int32_t v = list[n], end = k->first.at[v + 1];
        for (int32_t at = k->first.at[v]; at < end; at++) {
            Arc one = k->arc[at];
            int32_t cell = p.start[one.other], distinct = 0, loops = 0;
            if (p.length[cell] == 1 || parent[one.other] < 0) continue;
            if (root(parent, v) == root(parent, one.other)) continue;
            int parallel = 0;
            for (int32_t e = k->first.at[v]; e < end; e++)
                if (k->arc[e].kind == one.kind && p.start[k->arc[e].other] == cell) {
                    if (count[k->arc[e].other]) parallel = 1;
                    else distinct++, loops += k->arc[e].other == v;
                    count[k->arc[e].other] = 1;
                }
            for (int32_t e = k->first.at[v]; e < end; e++) count[k->arc[e].other] = 0;
            if (parallel || !is_uniform(p, v, cell, distinct, loops)) parent[root(parent, one.other)] = root(parent, v);
        }
    }
}

typedef struct { int32_t size, first, form, form_length; } Component; /* places in a list, and in the forms */

static const int32_t *forms_to_compare; /* for qsort; callers hold Python's lock */

static int compare_forms(const int32_t *a, int32_t length, const int32_t *b, int32_t other) {
    for (int32_t n = 0; n < length && n < other; n++)
        if (a[n] != b[n]) return a[n] < b[n] ? -1 : 1;
    return (length > other) - (length < other);
}

static int by_form(const void *a, const void *b) {
    const Component *x = a, *y = b;
    return compare_forms(forms_to_compare + x->form, x->form_length, forms_to_compare + y->form, y->form_length);
}

static int by_arc(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void sort_arcs(int32_t *arcs, int32_t count) { /* pairs: kind, rank */
    if (count > 24) { qsort(arcs, (size_t)count, 2 * sizeof *arcs, by_arc); return; }
    for (int32_t i = 1; i < count; i++) {
        int32_t kind = arcs[2 * i], rank = arcs[2 * i + 1], j = i;
        for (; j && (arcs[2 * j - 2] > kind || (arcs[2 * j - 2] == kind && arcs[2 * j - 1] > rank)); j--)
            arcs[2 * j] = arcs[2 * j - 2], arcs[2 * j + 1] = arcs[2 * j - 1];
        arcs[2 * j] = kind, arcs[2 * j + 1] = rank;
    }
}

/* A component in a given order: the cells of its vertices, and its own edges. `rank` is 1 + the place in the order. */
static int32_t write_form(Kernel *k, Partition p, const int32_t *list, int32_t size, int32_t at) {
    int32_t *rank = k->count.at;
    for (int32_t n = 0; n < size; n++) rank[list[n]] = n + 1;
    for (int32_t n = 0; n < size; n++) {
        int32_t v = list[n], degree = k->first.at[v + 1] - k->first.at[v];
        int32_t *form = ints(k, &k->forms, (size_t)at + 2 * (size_t)degree + 2);
        if (!form) break;
        form[at++] = p.start[v];
        int32_t *edges = form + at + 1, count = 0;
        for (int32_t e = k->first.at[v]; e < k->first.at[v + 1]; e++)
            if (!(k->arc[e].kind & 1) && rank[k->arc[e].other]) {
                edges[2 * count] = k->arc[e].kind;
                edges[2 * count++ + 1] = rank[k->arc[e].other];
            }
        sort_arcs(edges, count);
        form[at] = count;
        at += 1 + 2 * count;
    }
    for (int32_t n = 0; n < size; n++) rank[list[n]] = 0;
    return at;
}

/* Puts the vertices of a list, which are together all of some components, into canonical order. Its cells are those of
 * the partition at this depth; forms from `base` on are its own. Returns 0 if it takes too many steps. */
static int in_order(Kernel *k, int32_t *list, int32_t size, int depth, int32_t base) {
    if (size < 2) return 1;
    Partition p = partition(k, depth);
    Component *parts = malloc((size_t)size * sizeof *parts);
    int32_t *work = malloc(4 * (size_t)size * sizeof *work), *best = work + size, *next = work + 2 * size;
    int32_t *roots = work + 3 * size, number = 0, fine = 1;
    if (!parts || !work) { k->failed = 1; free(parts); free(work); return 0; }
    int32_t *parent = k->parent.at;
    components(k, p, list, size, parent);
    /* gather each component, its vertices by their places */
    for (int32_t n = 0; n < size; n++) roots[n] = root(parent, list[n]);
    int32_t *size_of = k->count.at;
    for (int32_t n = 0; n < size; n++) size_of[roots[n]]++;
    for (int32_t n = 0, at = 0; n < size; n++)
        if (size_of[roots[n]]) {
            parts[number] = (Component){0, at, 0, 0};
            at += size_of[roots[n]];
            size_of[roots[n]] = 0;
            parent[roots[n]] = -2 - number++; /* its number, where its parent was */
        }
    for (int32_t n = 0; n < size; n++) {
        Component *part = &parts[-2 - parent[roots[n]]];
        work[part->first + part->size++] = list[n];
    }
    for (int32_t n = 0; n < size; n++) parent[list[n]] = -1;
    for (int32_t c = 0; c < number && fine; c++) {
        Component *part = &parts[c];
        int32_t *mine = work + part->first, target = -1;
        for (int32_t n = 0; n < part->size; n++) mine[n] = p.place[mine[n]];
        sort_numbers(mine, part->size);
        for (int32_t n = 0; n < part->size; n++) mine[n] = p.order[mine[n]];
        for (int32_t n = 1; n < part->size && target < 0; n++)
            if (p.start[mine[n]] == p.start[mine[n - 1]]) target = n - 1;
        if (target >= 0) { /* tell each vertex of its first cell apart in turn */
            k->searched += k->steps == 0;
            if (depth + 1 == MOST_DEPTH) { fine = 0; break; }
            int32_t cell = p.start[mine[target]], from = base, best_end = -1;
            for (int32_t n = target; n < part->size && p.start[mine[n]] == cell && fine; n++) {
                if (++k->steps > MOST_STEPS) { fine = 0; break; }
                Partition deeper = partition(k, depth + 1);
                if (k->failed) { fine = 0; break; }
                copy(k, deeper, p);
                tell_apart(k, deeper, mine[n]);
                for (int32_t m = 0; m < part->size; m++) next[m] = deeper.place[mine[m]];
                sort_numbers(next, part->size);
                for (int32_t m = 0; m < part->size; m++) next[m] = deeper.order[next[m]];
                int32_t begin = best_end < 0 ? from : best_end;
                fine = in_order(k, next, part->size, depth + 1, begin);
                if (!fine) break;
                int32_t end = write_form(k, p, next, part->size, begin);
                if (k->failed) { fine = 0; break; }
                if (best_end < 0) {
                    memcpy(best, next, (size_t)part->size * sizeof *best);
                    best_end = end;
                } else if (compare_forms(k->forms.at + begin, end - begin, k->forms.at + from, best_end - from) < 0) {
                    memcpy(best, next, (size_t)part->size * sizeof *best);
                    memmove(k->forms.at + from, k->forms.at + begin, (size_t)(end - begin) * sizeof *k->forms.at);
                    best_end = from + end - begin;
                }
            }
            if (fine) memcpy(mine, best, (size_t)part->size * sizeof *mine);
        }
        if (!fine) break;
        int32_t end = write_form(k, p, mine, part->size, base);
        part->form = base, part->form_length = end - base;
        base = end;
    }
    if (fine && !k->failed) {
        forms_to_compare = k->forms.at;
        qsort(parts, (size_t)number, sizeof *parts, by_form);
        for (int32_t c = 0, at = 0; c < number; c++)
            for (int32_t n = 0; n < parts[c].size; n++) list[at++] = work[parts[c].first + n];
    }
    free(parts);
    free(work);
    return fine && !k->failed;
}

/* --- keys --- */

static void put(Kernel *k, uint32_t number) { /* seven bits a byte */
    for (; number > 127; number >>= 7) k->key[k->key_length++] = (unsigned char)(number | 128);
    k->key[k->key_length++] = (unsigned char)number;
}

/* The graph in its canonical order: for each vertex its label and its edges. */
static void write_key(Kernel *k, Partition p) {
    size_t room = 10 * (size_t)k->vertices + 10 * (size_t)k->arcs + 16;
    if (room > k->key_room) {
        free(k->key);
        k->key = malloc(k->key_room = 2 * room);
        if (!k->key) { k->key_room = 0; k->failed = 1; return; }
    }
    int32_t *edges = ints(k, &k->scratch, 2 * (size_t)k->arcs + 2);
    if (!edges) return;
    k->key_length = 0;
    for (int32_t at = 0; at < k->vertices; at++) {
        int32_t v = p.order[at], count = 0;
        for (int32_t e = k->first.at[v]; e < k->first.at[v + 1]; e++)
            if (!(k->arc[e].kind & 1)) {
                edges[2 * count] = k->arc[e].kind >> 1;
                edges[2 * count++ + 1] = p.place[k->arc[e].other];
            }
        sort_arcs(edges, count);
        put(k, (uint32_t)k->label.at[v]);
        put(k, (uint32_t)count);
        for (int32_t n = 0; n < 2 * count; n++) put(k, (uint32_t)edges[n]);
    }
}

/* Puts the vertices that refinement left alike into the order that the search has found. */
static int settle(Kernel *k, Partition p) {
    int32_t n = k->vertices, left = 0;
    int32_t *list = malloc((size_t)n * sizeof *list);
    if (!list) { k->failed = 1; return 0; }
    for (int32_t at = 0; at < n; at++)
        if (p.length[p.start[p.order[at]]] > 1) list[left++] = p.order[at];
    int fine = in_order(k, list, left, 0, 0);
    if (fine) {
        int32_t *used = k->count.at;
        for (int32_t i = 0; i < left; i++) {
            int32_t v = list[i], at = p.start[v] + used[p.start[v]]++;
            p.order[at] = v, p.place[v] = at;
        }
        memset(used, 0, (size_t)n * sizeof *used);
    }
    free(list);
    return fine;
}

/* --- what callers use --- */

void *clew_kernel_open(void) { return calloc(1, sizeof(Kernel)); }

void clew_kernel_close(void *kernel) {
    Kernel *k = kernel;
    Ints *tables[] = {&k->label_of, &k->vertex_of, &k->seen, &k->label, &k->from, &k->kind, &k->to,
                      &k->first, &k->queue, &k->queued, &k->touched, &k->touched_cells, &k->touched_count, &k->scratch,
                      &k->parent, &k->count, &k->forms};
    for (size_t n = 0; n < sizeof tables / sizeof *tables; n++) free(tables[n]->at);
    for (size_t n = 0; n < MOST_DEPTH; n++) free(k->partitions[n].at);
    free(k->arc);
    free(k->sum);
    free(k->key);
    free(k);
}

int clew_kernel_declare(void *kernel, int32_t element, int32_t label) {
    Kernel *k = kernel;
    size_t room = (size_t)element + 1;
    if (!ints(k, &k->label_of, room) || !ints(k, &k->vertex_of, room) || !ints(k, &k->seen, room)) return -2;
    k->label_of.at[element] = label;
    return 0;
}

/* The length of the key, which is at clew_kernel_answer(); -1: too much symmetry, -2: no memory. */
int clew_kernel_key(void *kernel, const void *graph, int32_t bytes) {
    Kernel *k = kernel;
    k->failed = 0;
    k->steps = 0;
    read_graph(k, graph, (const int32_t *)graph + bytes / 4);
    if (k->failed) return -2;
    size_t n = (size_t)k->vertices, had = k->parent.room;
    Partition p = partition(k, 0);
    if (n > k->sum_room) {
        uint64_t *more = realloc(k->sum, 2 * n * sizeof *more);
        if (!more) return -2;
        memset(more, 0, 2 * n * sizeof *more);
        k->sum = more;
        k->sum_room = 2 * n;
    }
    Ints *tables[] = {&k->queue, &k->queued, &k->touched, &k->touched_cells, &k->touched_count, &k->parent, &k->count};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) ints(k, tables[t], n + 1);
    if (k->failed) return -2;
    for (size_t v = had; v < k->parent.room; v++) k->parent.at[v] = -1;
    first_partition(k, p);
    int is_settled = 1;
    for (int32_t at = 0; at < k->vertices && is_settled; at++) is_settled = p.length[at] == 1;
    if (!is_settled && !settle(k, p)) return k->failed ? -2 : -1;
    write_key(k, p);
    return k->failed ? -2 : (int)k->key_length;
}

const void *clew_kernel_answer(void *kernel) { return ((Kernel *)kernel)->key; }

/* In how many graphs vertices had to be told apart. */
int clew_kernel_searched(void *kernel) { return ((Kernel *)kernel)->searched; }
