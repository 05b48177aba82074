/** Passages that came with a question. */
import { expect, test } from 'vitest';
import { passageStore } from '../../retrieval/supplied-passages.js';
import { memoryStore } from './helpers.js';

const given = [
  { id: 'mine', title: 'Heron', text: 'It waits.' },
  { text: 'It dives.' },
  { title: 'Ωtter', text: "It's furry.\n" },
];

test('put keeps the order and gives ids made from the content', async () => {
  const refs = await passageStore(memoryStore()).put(given);
  expect(refs).toEqual([
    {
      id: expect.stringMatching(/^p-[\w-]{22}$/),
      title: 'Heron',
      score: 1,
      own: { id: 'mine' },
    },
    { id: expect.stringMatching(/^p-[\w-]{22}$/), title: '', score: 1 / 2 },
    { id: expect.stringMatching(/^p-[\w-]{22}$/), title: 'Ωtter', score: 1 / 3 },
  ]);
  expect(await passageStore(memoryStore()).put(given)).toEqual(refs);
});

test('get gives the texts back in the order asked', async () => {
  const passages = passageStore(memoryStore());
  const refs = await passages.put(given);
  const ids = refs.map((ref) => ref.id).reverse();
  expect((await passages.get(ids)).map(({ title, text }) => ({ title, text }))).toEqual([
    { title: 'Ωtter', text: "It's furry.\n" },
    { title: '', text: 'It dives.' },
    { title: 'Heron', text: 'It waits.' },
  ]);
});

test('the same content is stored once for a question and listed once, and is young again', async () => {
  const store = memoryStore();
  const passages = passageStore(store);
  await passages.put(given);
  const refs = await passages.put([...given, { id: 'other', title: 'Heron', text: 'It waits.' }]);
  expect(store.writes).toBe(6);
  expect(refs.map((ref) => ref.title)).toEqual(['Heron', '', 'Ωtter']);
});

test('own scores are the scores if every passage has one, and stand beside 1/rank if not', async () => {
  const store = passageStore(memoryStore());
  const scored = [
    { id: '7', text: 'a', score: 81.5 },
    { id: '7', text: 'b', score: -2 },
    { id: '9', text: 'a', score: 1 },
  ];
  const [a, b, ...others] = await store.put(scored);
  expect(others).toEqual([]);
  expect(a).toMatchObject({ score: 81.5, own: { id: '7', score: 81.5 } });
  expect(b).toMatchObject({ score: -2, own: { id: '7', score: -2 } });
  expect(b?.id).not.toBe(a?.id);
  const partly = await store.put([...scored, { text: 'c' }]);
  expect(partly.map(({ score, own }) => [score, own?.score])).toEqual([
    [1, 81.5],
    [1 / 2, -2],
    [1 / 3, undefined],
  ]);
});

test('where the title ends matters', async () => {
  const [first, second] = await passageStore(memoryStore()).put([
    { title: 'a', text: 'b c' },
    { title: 'a b', text: 'c' },
  ]);
  expect(first?.id).not.toBe(second?.id);
});

test('a passage with no text is refused by its place', async () => {
  const store = memoryStore();
  await expect(passageStore(store).put([{ text: 'x' }, { text: ' ' }])).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining('passages[1].text is empty'),
  });
  expect(store.writes).toBe(0);
});

test('an id that was never stored', async () => {
  await expect(passageStore(memoryStore()).get(['p-0'])).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('"p-0"'),
  });
});
