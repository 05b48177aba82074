/** Questions that are asked with a share of noise. */
import { expect, it } from 'vitest';
import { unusedSearchText } from '../../../core/options/idle-retrieval.js';
import type { RunInput } from '../../../core/run/input.js';
import type { Passage } from '../../../core/vocabulary.js';
import { fixedCorpora } from '../../support/ports.js';
import { bell, setUp } from './support.js';

const passage = (id: string, text: string): Passage => ({ id, title: `Title ${id}`, text });
/** Every search finds these, in this order; two of ten hold the answer. */
const corpus = Array.from({ length: 10 }, (_, i) =>
  passage(`p${i}`, i === 2 || i === 5 ? `In ${i} Bell did it.` : `Of something else, ${i}.`),
);
const noise = { ratio: 0.6, count: 5, depth: 10 };

async function runOver(
  lines: object[],
  changes: Partial<RunInput> = {},
  texts: readonly Passage[] = corpus,
) {
  const input = { noise, ...changes };
  const run = await setUp(lines, input, { corpora: fixedCorpora(texts) });
  const opened = await run.open();
  const asked = await run.questions();
  const stored = await Promise.all(
    asked.map(({ stored = [] }) => run.ports.passages.get(stored.map(({ id }) => id))),
  );
  const manifest = await run.ports.runs.manifest('r');
  return { ...run, opened, asked, manifest, texts: stored.map((ones) => ones.map((p) => p.text)) };
}

it('stores the passages each question is asked with, in the order of rank', async () => {
  const { texts, asked, manifest } = await runOver([bell]);
  expect(texts).toEqual([
    [
      'Of something else, 0.',
      'Of something else, 1.',
      'In 2 Bell did it.',
      'Of something else, 3.',
      'In 5 Bell did it.',
    ],
  ]);
  expect(asked[0]?.stored?.map(({ title, score }) => [title, score])).toEqual([
    ['Title p0', 1],
    ['Title p1', 1 / 2],
    ['Title p2', 1 / 3],
    ['Title p3', 1 / 4],
    ['Title p5', 1 / 5],
  ]);
  expect(manifest).toMatchObject({
    questions: 1,
    noise: { withoutAnswer: 0, incomplete: 0 },
    corpus: { name: 'sample' },
  });
});

it('leaves out and counts the questions for which no passage holds an answer', async () => {
  const lines = [
    { id: 1, question: 'Who?', answers: ['Gray'] },
    bell,
    { id: 2, question: 'Did he?', answers: ['yes'] },
    { ...bell, id: 3, answers: ['Bell', 'Gray'] },
  ];
  const { opened, asked, manifest } = await runOver(lines);
  expect(opened.questions).toBe(2);
  expect(asked.map(({ id }) => id)).toEqual(['nq/1', '3']);
  expect(manifest).toMatchObject({
    questions: 2,
    noise: { withoutAnswer: 2, incomplete: 0 },
    dataset: { selected: 4 },
  });
});

it('says of a mode that it has no effect where no question searches, since noise keeps the order', async () => {
  const own = [{ title: 'a', text: 'Bell.' }];
  const bringing = [{ ...bell, passages: own }];
  const asked = { noise: { ...noise, ratio: 0 }, mode: 'bm25' } as const;
  expect(unusedSearchText((await runOver(bringing, asked)).opened.spec)).toBe(
    'without effect, as no question searches: corpus sample, mode bm25',
  );
  expect((await runOver([bell], asked)).opened.questions).toBe(1);
});

it('chooses among the passages that come with a question, each content once', async () => {
  const own = [
    { title: 'a', text: 'Bell.' },
    { title: 'a', text: 'Bell.' },
    ...Array.from({ length: 5 }, (_, i) => ({ title: `n${i}`, text: 'Nothing.' })),
    { title: 'b', text: 'Bell again.' },
  ];
  const { texts, manifest } = await runOver([{ ...bell, passages: own }]);
  expect(texts).toEqual([['Bell.', 'Nothing.', 'Nothing.', 'Nothing.', 'Bell again.']]);
  expect(manifest?.corpus).toBeNull();
  const depth = await runOver([{ ...bell, passages: own }], { noise: { ...noise, depth: 6 } });
  expect(depth.texts).toEqual([['Bell.', 'Nothing.', 'Nothing.', 'Nothing.']]);
});

it('keeps the scores that passages came with', async () => {
  const passages = corpus.map((one, i) => ({ ...one, score: 20 - i }));
  const { asked } = await runOver([{ ...bell, passages }]);
  expect(asked[0]?.stored?.map(({ score }) => score)).toEqual([20, 19, 18, 17, 15]);
});

it('draws random noise from what is found for other questions, by the sample seed', async () => {
  const others = Array.from({ length: 8 }, (_, i) => ({
    id: `o${i}`,
    question: `Other ${i}?`,
    answers: ['Rhine'],
    passages: Array.from({ length: 3 }, (_, k) => ({
      title: `Of ${i}`,
      text: k === 0 ? `Bell and Rhine, ${i}.` : `Foreign ${i}-${k}.`,
    })),
  }));
  const random = { ...noise, kind: 'random' as const };
  const lines = [bell, ...others];
  const { texts } = await runOver(lines, { noise: random, limit: 1 });
  const [chosen = []] = texts;
  expect(chosen).toHaveLength(5);
  expect(chosen.filter((text) => text.startsWith('In '))).toEqual([
    'In 2 Bell did it.',
    'In 5 Bell did it.',
  ]);
  // Those with the answer, and those that a search for the question finds, are no noise.
  expect(chosen.filter((text) => text.startsWith('Foreign '))).toHaveLength(3);
  const other = await runOver(lines, { noise: random, limit: 1, sampleSeed: 1 });
  expect(other.texts).not.toEqual(texts);
});

it('refuses a run in which no question takes part, and leaves nothing behind', async () => {
  const { open, ports } = await setUp([{ ...bell, answers: ['Gray'] }], { noise });
  await expect(open()).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining(
      'noise: no passage with an answer was found for any of the 1 questions',
    ),
  });
  expect(await ports.runs.list()).toEqual([]);
});
