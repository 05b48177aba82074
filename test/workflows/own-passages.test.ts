/** Passages that come with a question are ranked by what a method asks of them. */
import { describe, expect, it } from 'vitest';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { Line } from '../../testing/scripted-model.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { runScripted } from '../support/run-scripted.js';

const passages = [
  { title: 'Bell', text: 'Bell was granted the patent of the telephone.' },
  { title: 'Watson', text: 'Watson heard the first words.' },
  { title: 'Wire', text: 'A wire carries a current.' },
  { title: 'Caveat', text: 'Gray filed a caveat on the same day.' },
  { title: 'Meucci', text: 'Meucci could not pay for a patent.' },
  { title: 'Car', text: 'A car drives.' },
];
const titles = (found: readonly { title: string }[] = []) => found.map(({ title }) => title);

describe('LLatrieval over the passages of the question', () => {
  const options = { supporting: 2, passages: 3, window: 5, iterations: 3, summaries: false };
  const script: Line[] = [
    { step: 'selectDocuments', say: 'Selected passages: 1 2' },
    { step: 'verifyClassify', say: '[NO]' },
    { step: 'missingInfoQuery', say: 'New passage: Gray filed a caveat.' },
    { step: 'selectDocuments', say: 'Selected passages: 1 3' },
    { step: 'verifyClassify', say: '[NO]' },
    { step: 'missingInfoQuery', say: 'New passage: Who could not pay? Meucci and his car.' },
    { step: 'selectDocuments', say: 'Selected passages: 3 1' },
    { step: 'verifyClassify', say: '[YES]' },
    { step: 'answerWithCitations', say: 'It was Bell [1].' },
  ];

  it('goes on while they do not suffice, and a new query brings documents not seen before', async () => {
    const { result, model } = await runScripted('llatrieval', script, {
      options,
      retrieval: { passages },
    });
    expect(model.left).toEqual([]);
    expect(result).toMatchObject({ outcome: 'answered', retrievals: 3 });
    const found = result.chain?.iterations.map((iteration) => titles(iteration.found));
    // The question itself finds them as they were given.
    expect(found).toEqual([
      ['Bell', 'Watson', 'Wire'],
      ['Caveat', expect.any(String), expect.any(String)],
      ['Meucci', 'Car', expect.any(String)],
    ]);
    const offered = result.chain?.iterations.flatMap(({ selections }) =>
      selections.flatMap(({ candidates }) => candidates),
    );
    expect(new Set(offered).size).toBe(offered?.length);
    expect(result.chain?.documentsRead).toBe(6);
  });
});

describe('a search by the question itself', () => {
  const question = 'Who filed a caveat?';
  const reads: Line[] = [{ step: 'read', say: 'Gray' }];
  const ask = (mode?: 'bm25' | 'dense' | 'hybrid', asked = question) => {
    const model = fakeEmbeddings({ meanings: { automobile: 'car' } });
    const embeddings = new EmbeddingCache(model, new MemoryStore());
    const retrieval = { passages, ...(mode && { mode }) };
    const input = { question: asked, retrieval, options: { passages: 2 } };
    return runScripted('base', reads, input, { embeddings }).then((ran) => ({
      ...ran,
      embedded: model.requests,
    }));
  };

  it('keeps the order they were given in', async () => {
    const { result, embedded } = await ask();
    expect(titles(result.chain?.passages)).toEqual(['Bell', 'Watson']);
    expect(embedded).toEqual([]);
  });

  it('ranks them by words where that is asked for', async () => {
    const { result, embedded } = await ask('bm25');
    expect(titles(result.chain?.passages)[0]).toBe('Caveat');
    expect(embedded).toEqual([]);
  });

  it.each(['dense', 'hybrid'] as const)(
    'ranks them %s, embedded by one paid step',
    async (mode) => {
      const { result, embedded } = await ask(mode, 'automobile');
      expect(titles(result.chain?.passages)[0]).toBe('Car');
      expect(embedded.map((texts) => texts.length)).toEqual([1 + passages.length]);
      expect(result.steps.rankBySimilarity).toMatchObject({ calls: 1, cachedCalls: 0 });
      expect(result.retrievals).toBe(1);
    },
  );
});

describe('what is asked beside the question has an order of its own', () => {
  const retrieval = { passages };

  it('for the sub-queries of ALLIES, while its seed reads the first', async () => {
    const { result } = await runScripted(
      'allies',
      [
        ...Array.from({ length: 4 }, (): Line => ({ step: 'answerWithEvidence', say: 'Bell' })),
        ...Array.from({ length: 4 }, (): Line => ({ step: 'scoreAnswer', say: '0.9' })),
        ...Array.from({ length: 3 }, (): Line => ({ step: 'condenseEvidence', say: 'So it is.' })),
        { step: 'askSubQueries', say: '1. Who could not pay for it?' },
        { step: 'askSubQueries', say: '1. Who filed a caveat?' },
      ],
      { retrieval, options: { subQueries: 1, depth: 1, passages: 1 } },
    );
    const found = result.chain?.states.map((state) => titles(state.passages));
    expect(found?.slice(0, 2)).toEqual([[], ['Bell']]);
    expect(found?.slice(2).sort()).toEqual([['Caveat'], ['Meucci']]);
  });

  it('for the pseudo passage of LAMER, which is written from the first', async () => {
    const { result } = await runScripted(
      'lamer',
      [
        { step: 'hypotheticalPassage', say: 'Cars are driven.' },
        { step: 'read', say: 'Bell' },
      ],
      { retrieval, options: { queries: 1, context: 2, candidates: 2, passages: 1 } },
    );
    const { context, searches = [], passages: read } = result.chain ?? {};
    expect(titles(context)).toEqual(['Bell', 'Watson']);
    expect(searches.map(({ query }) => query)).toEqual(['Cars are driven.']);
    expect(titles(read)).toEqual(['Car']);
  });
});
