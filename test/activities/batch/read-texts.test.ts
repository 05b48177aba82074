/** Where each kind of chain has what was read. */
import { expect, test } from 'vitest';
import { passagesOf, readTexts } from '../../../activities/batch/read-texts.js';
import { result } from './support.js';

const refs = (...ids: string[]) => ids.map((id) => ({ id, title: id, score: 1 }));

test.each<[string, object, string[] | undefined]>([
  ['passages', { passages: refs('p2', 'p1'), states: [{ passages: refs('p3') }] }, ['p2', 'p1']],
  ['no passages found', { passages: [] }, []],
  ['LLatrieval', { supporting: refs('p1'), iterations: [] }, ['p1']],
  [
    'ALLIES: every state that was given evidence, whether it was kept or not',
    {
      states: [
        { id: 0, parent: null, kept: true, passages: [] },
        { id: 1, parent: null, kept: true, passages: refs('p1', 'p2') },
        { id: 2, parent: 0, kept: false, passages: refs('p3', 'p1') },
        { id: 3, parent: 1, kept: true, passages: refs('p4') },
      ],
      chosen: 3,
    },
    ['p1', 'p2', 'p3', 'p4'],
  ],
  ['ALLIES that found nothing', { states: [{ passages: [] }, { passages: [] }] }, []],
  [
    'self-ask',
    { followUps: [{ passages: refs('p1') }, { passages: refs('p2', 'p1') }] },
    ['p1', 'p2'],
  ],
  [
    'chains of self-ask',
    { chains: [{ followUps: [{ passages: refs('p1') }] }, { followUps: [] }] },
    ['p1'],
  ],
  ['self-ask that found nothing', { followUps: [{ passages: [] }] }, []],
  ['self-ask that asked nothing', { followUps: [] }, []],
  ['a reading alone', { reading: 'Bell' }, undefined],
])('%s', (_, chain, ids) => {
  expect(passagesOf(chain)).toEqual(ids);
  expect(readTexts(result({ chain }))).toEqual(ids && { passages: ids, documents: [] });
});

test('documents that were generated', () => {
  const documents = [{ text: 'One.' }, { text: null }, { text: 'Two.' }];
  const read = (chain: object | null) => readTexts(result({ chain }));
  expect(read({ documents })).toEqual({ passages: [], documents: ['One.', 'Two.'] });
  expect(read({ documents, passages: refs('p1') })).toMatchObject({ passages: ['p1'] });
  expect(read(null)).toBeUndefined();
});
