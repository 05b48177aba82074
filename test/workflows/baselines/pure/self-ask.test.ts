import { expect, it } from 'vitest';
import { mostFrequentAnswer } from '../../../../workflows/methods/baselines/self-ask.js';

it.each<[answers: (string | null)[], most: string | null]>([
  [['Gray', 'Bell', 'the bell'], 'Bell'],
  [['Gray', 'Bell'], 'Gray'],
  [['Unknown', null, 'Unknown', 'Bell'], 'Bell'],
  [['Unknown', null], null],
  [[], null],
])('the vote of the chains, of %j', (answers, most) => {
  expect(mostFrequentAnswer(answers.map((answer) => ({ followUps: [], answer })))).toBe(most);
});
