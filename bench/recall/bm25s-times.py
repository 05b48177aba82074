"""Times searches by bm25s: reads questions from its first line of input, indexes a corpus, and then
answers all of them once for each further line.

Usage: python bm25s-times.py CORPUS.jsonl.gz K
"""

import gzip
import json
import sys
from importlib.metadata import version
from time import perf_counter

import bm25s
import Stemmer

stemmer = Stemmer.Stemmer("english")
corpus, k = sys.argv[1], int(sys.argv[2])


def tokens(texts):
    return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)


def milliseconds(question):
    start = perf_counter()
    index.retrieve(tokens(question), k=k, show_progress=False)
    return (perf_counter() - start) * 1000


with gzip.open(corpus, "rt", encoding="utf-8") as lines:
    passages = [json.loads(line) for line in lines]
asked = json.loads(sys.stdin.readline())
index = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
index.index(tokens([f"{one['title']}\n{one['text']}" for one in passages]), show_progress=False)
print(json.dumps({"version": version("bm25s"), "passages": len(passages)}), flush=True)
for _ in sys.stdin:
    print(json.dumps([milliseconds(question) for question in asked]), flush=True)
