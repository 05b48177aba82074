/** Sentences, statements, and which calls a judge gets. */
import { expect, test } from 'vitest';
import { splitSentences } from '../../../core/sentences.js';
import {
  citationF1,
  citationPrecision,
  citationRecall,
  claimRecall,
  judgeStatement,
} from '../../../evaluation/citations/judge-answer.js';
import { readStatements } from '../../../evaluation/citations/statements.js';

test.each<[string, string[]]>([
  ['One is. Two is!', ['One is.', 'Two is!']],
  ['Bell did it [1][2]. Gray did not [3].', ['Bell did it [1][2].', 'Gray did not [3].']],
  ['Bell did it. [1][2] Gray did not. [3]', ['Bell did it. [1][2]', 'Gray did not. [3]']],
  ['[1] Bell did it.', ['[1] Bell did it.']],
  ['Bell did it.[1][2] Gray did not.[3]', ['Bell did it. [1][2]', 'Gray did not. [3]']],
  ['“Bell did it.”[1]Gray did not![2]', ['“Bell did it.” [1]', 'Gray did not! [2]']],
  ['贝尔发明了它。[1]格雷没有。[2]', ['贝尔发明了它。 [1]', '格雷没有。 [2]']],
  ['It is approx.[1] 5 km. Yes.', ['It is approx. [1] 5 km.', 'Yes.']],
  ['Bell did it. [1], [2] Gray not.', ['Bell did it. [1], [2]', 'Gray not.']],
  ['[1] and Gray did it.', ['[1] and Gray did it.']],
  ['Dr. Smith met J. R. Tolkien. He left.', ['Dr. Smith met J. R. Tolkien.', 'He left.']],
  ['In the U.S. Army. Yes.', ['In the U.S. Army.', 'Yes.']],
  ['It was 3.5 m high. “Really?” Yes.', ['It was 3.5 m high.', '“Really?”', 'Yes.']],
  ["Some don't. Some do, etc. Yes.", ["Some don't.", 'Some do, etc.', 'Yes.']],
  [
    'It is at No. 10 Downing Street [1]. See Fig. 3 [2].',
    ['It is at No. 10 Downing Street [1].', 'See Fig. 3 [2].'],
  ],
  ['No. 10 Downing Street is old. Yes.', ['No. 10 Downing Street is old.', 'Yes.']],
  ['It ranks no. 2, after Op. 27. It won.', ['It ranks no. 2, after Op. 27.', 'It won.']],
  ['He said no. In 1990. 12 Swedes came.', ['He said no.', 'In 1990.', '12 Swedes came.']],
  ['The Nile. 2. The Congo.', ['The Nile.', '2. The Congo.']],
  ['He lost in Rio. [1] 10 Swedes won.', ['He lost in Rio. [1]', '10 Swedes won.']],
  ['Two:\n1. The Nile.\n2. The Congo.', ['Two:', '1. The Nile.', '2. The Congo.']],
  ['One line\ngoes on.\n\nNext', ['One line goes on.', 'Next']],
  ['- first\n- second', ['- first', '- second']],
  ['', []],
  [' \n ', []],
])('cuts %j', (text, sentences) => expect(splitSentences(text)).toEqual(sentences));

test('a statement has a claim and the positions it cites', () => {
  const output = 'Bell [1][3]. Gray [2, 9]. Reis. Popov [0]. Many [1][2][3][1].';
  expect(readStatements(output, { passages: 3 })).toEqual([
    { claim: 'Bell.', cited: [0, 2] },
    { claim: 'Gray.', cited: [], missing: [9] },
    { claim: 'Reis.', cited: [] },
    { claim: 'Popov.', cited: [], missing: [0] },
    { claim: 'Many.', cited: [0, 1, 2] },
  ]);
  expect(readStatements('Nile [1], Congo [2].', { passages: 2, listFor: 'Which?' })).toEqual([
    { claim: 'Which? Nile', cited: [0] },
    { claim: 'Which? Congo', cited: [1] },
  ]);
});

// The claims, each with the positions that it cites.
test.each([
  ['Bell.[1] Gray.[2][3]', 'Bell. 0; Gray. 1,2'],
  ['Bell. (Passage 1) Gray. [^2]', 'Bell. 0; Gray. 1'],
  ['Bell.【1†source】 Gray [Source: 2].', 'Bell. 0; Gray. 1'],
  ['Bell (passage 9). Gray [^9].', 'Bell. ; Gray. '],
  ['贝尔。【1】格雷。【9†x】', '贝尔。 0; 格雷。 '],
])('citations however they are written: %j', (output, statements) => {
  const read = readStatements(output, { passages: 3 });
  expect(read.map(({ claim, cited }) => `${claim} ${cited}`).join('; ')).toBe(statements);
});

/** A judge for whom a claim follows from certain sets of passages. */
function entailedBy(...sets: number[][]) {
  const calls: string[] = [];
  return {
    calls,
    judge: async (cited: readonly number[]) => {
      calls.push(cited.join());
      return sets.some((set) => set.join() === cited.join());
    },
  };
}

test.each<[string, number[], number[][], string[], boolean, boolean[]]>([
  ['nothing cited', [], [], [], false, []],
  ['one that supports', [2], [[2]], ['2'], true, [true]],
  ['one that does not', [2], [], ['2'], false, [false]],
  ['two that do not support: no more calls', [0, 1], [], ['0,1'], false, [false, false]],
  ['both are needed', [0, 1], [[0, 1]], ['0,1', '0', '1', '1', '0'], true, [true, true]],
  ['one is idle', [0, 1], [[0, 1], [0]], ['0,1', '0', '1', '0'], true, [true, false]],
  ['each is enough', [0, 1], [[0, 1], [0], [1]], ['0,1', '0', '1'], true, [true, true]],
])('%s', async (_, cited, sets, calls, supported, needed) => {
  const judged = entailedBy(...sets);
  const verdict = await judgeStatement({ claim: 'c', cited }, judged.judge);
  expect(verdict).toEqual({ claim: 'c', cited, supported, needed });
  expect(judged.calls.toSorted()).toEqual(calls.toSorted());
});

test('the scores of an answer', () => {
  const verdicts = [
    { claim: 'a', cited: [0, 1], supported: true, needed: [true, false] },
    { claim: 'b', cited: [2], supported: false, needed: [false] },
    { claim: 'c', cited: [], supported: false, needed: [] },
    { claim: 'd', cited: [2], supported: true, needed: [true] },
  ];
  const scores = (of: typeof verdicts) =>
    [citationRecall, citationPrecision, citationF1].map((score) => score(of));
  expect(scores(verdicts)).toEqual([0.5, 0.5, 0.5]);
  expect(scores(verdicts.slice(2, 3))).toEqual([0, 0, 0]);
  expect(scores([])).toEqual([0, 0, 0]);
  const claims = [
    { claim: 'a', entailed: true },
    { claim: 'b', entailed: false },
  ];
  expect(claimRecall(claims)).toBe(0.5);
});
