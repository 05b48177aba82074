/** Gold passages: which of what was read they are. */
import { expect, it } from 'vitest';
import type { DatasetPassage, DatasetRecord } from '../../core/dataset-record.js';
import { goldScores, type ReadPassage, withoutPassages } from '../../evaluation/gold-passages.js';

const record = (passages: DatasetPassage[], more: Partial<DatasetRecord> = {}): DatasetRecord => ({
  id: 'q',
  question: 'Who?',
  answers: ['Bell'],
  answerKind: 'span',
  passages,
  ...more,
});
const read = (id: string, text: string, more: Partial<ReadPassage> = {}): ReadPassage => ({
  id,
  title: '',
  text,
  ...more,
});
const scores = (given: DatasetRecord, ...passages: ReadPassage[]) =>
  goldScores(withoutPassages(given).gold ?? [], passages);

const telephone = { id: '3', title: 'Telephone', text: 'Bell got  the patent.', isGold: true };
const gray = { id: '7', title: 'Elisha Gray', text: 'Gray filed a caveat.', isGold: true };
const rhine = { id: '9', title: 'Rhine', text: 'A river.', isGold: false };

it('keeps of a question what tells its gold passages, and nothing of the others', () => {
  const kept = withoutPassages(record([telephone, rhine], { passagesRanked: false }));
  expect(kept).toEqual({
    id: 'q',
    question: 'Who?',
    answers: ['Bell'],
    answerKind: 'span',
    gold: [{ content: expect.stringMatching(/^[0-9a-f]{16}$/), title: 'Telephone' }],
  });
  expect(withoutPassages(record([rhine])).gold).toBeUndefined();
});

it('finds them by their text, wherever it was found', () => {
  const found = scores(
    record([telephone, rhine, gray]),
    read('p-1', 'A river.'),
    read('wiki/8', 'Gray filed a\ncaveat. '),
    read('p-2', 'Bell got the patent.'),
    // The same text again has no rank of its own.
    read('p-3', 'Bell got the patent.'),
    read('p-4', 'Another.'),
  );
  expect(found).toMatchObject({ grades: [0, 1, 1, 0], all: [1, 1] });
});

it('takes an id for one of the corpus only where the data set says so', () => {
  const numbered = read('3', 'The third passage of another corpus.');
  expect(scores(record([telephone]), numbered)?.grades).toEqual([0]);
  expect(scores(record([telephone], { corpusIds: true }), numbered)?.grades).toEqual([1]);
});

it('counts the passages of a judged document once, at the first of them', () => {
  const judged = record(
    [
      { ...telephone, id: 'd1', grade: 2 },
      { ...gray, id: 'd2' },
    ],
    { corpusIds: true },
  );
  const found = scores(
    judged,
    read('d9', 'Other.'),
    read('d9-2', 'Other, continued.', { document: 'd9' }),
    read('d1', 'Bell'),
    read('d1-2', 'got', { document: 'd1' }),
    read('d2-4', 'Gray', { document: 'd2' }),
  );
  expect(found).toMatchObject({ grades: [0, 2, 1], all: [2, 1] });
});

it('leaves out what the method wrote itself', () => {
  expect(scores(record([telephone]), read('', 'Bell got the patent.'))?.grades).toEqual([]);
});

it('tells documents by their titles, if every gold passage has one', () => {
  const cut = read('w1', 'Cut otherwise.', { title: ' elisha_Gray' });
  expect(scores(record([telephone, gray]), cut)).toMatchObject({
    grades: [0],
    documents: { part: 1, whole: 2 },
  });
  const untitled = { ...gray, title: '' };
  expect(scores(record([telephone, untitled]), cut)).not.toHaveProperty('documents');
});
