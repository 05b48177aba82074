/** Passages that come with a question are ranked by what a method asks of them. */
import { expect, it } from 'vitest';
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

it('LLatrieval goes on while they do not suffice, and a new query brings others first', async () => {
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

it('are embedded by one paid step where the question is searched by vectors', async () => {
  const model = fakeEmbeddings({ meanings: { automobile: 'car' } });
  const embeddings = new EmbeddingCache(model, new MemoryStore());
  const retrieval = { passages, mode: 'dense' } as const;
  const input = { question: 'automobile', retrieval, options: { passages: 2 } };
  const reads: Line[] = [{ step: 'read', say: 'Gray' }];
  const { result } = await runScripted('base', reads, input, { embeddings });
  expect(titles(result.chain?.passages)[0]).toBe('Car');
  expect(model.requests.map((texts) => texts.length)).toEqual([1 + passages.length]);
  expect(result.steps.rankBySimilarity).toMatchObject({ calls: 1, cachedCalls: 0 });
  expect(result.retrievals).toBe(1);
});
