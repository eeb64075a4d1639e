
import sys
def test_it(clew, model):
    L=[]
    for words in (["check", ("bad",)], ["check","--json", ("bad",)], ["count", ()], ["check", ()],["check",("stuck",)],
      ["trace"],["trace","--replay"],["check", ("bad",)],["trace", "--full"],["trace","--to","chart"],["trace","--to","mermaid"],["simulate",("bad",)],["graph",("bad",)],["graph","--what","processes",("bad",)],["lint",("broken","suspicious")],["check",("broken",)]):
        words=[model(*w) if isinstance(w,tuple) else w for w in words]
        o = clew(*words); L.append(f"$ {words} -> {o.status}\n{o.out}----\n{o.err}")
    print("\n".join(L))
    assert 0
