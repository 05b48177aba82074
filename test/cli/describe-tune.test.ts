/** A tune before it is begun, in words. */
import { expect, test } from 'vitest';
import { describeChanges, describeTune } from '../../cli/tune/describe-tune.js';
import { candidateOf } from '../../core/tune/candidates.js';
import { parseTune } from '../../core/tune/tune.js';
import type { PlannedTune } from '../../interpreters/plan-tune.js';

const step = (name: string, least: number, most: number) => ({
  step: name,
  least: { calls: least, usd: least / 1000 },
  most: { calls: most, usd: most / 100 },
});
const candidate = candidateOf([{ of: 'models', at: 'read', to: 'nano' }]);
const PLANNED: PlannedTune = {
  questions: { A: 100, B: 96, used: 0 },
  candidates: [
    {
      candidate,
      steps: [step('read', 1, 1), step('vote', 0, 2)],
      ...step('', 1, 3),
      times: 1,
    },
  ],
  proposals: { least: { calls: 0, usd: 0 }, most: { calls: 0, usd: 0 } },
  start: { A: { calls: 0, usd: 0 }, B: { calls: 0, usd: 0 } },
  search: { least: { calls: 100, usd: 0.1 }, most: { calls: 300, usd: 3 } },
  confirmation: { calls: 288, usd: 2.88 },
  startFigures: { mean: 0.7, usd: 0.02 },
  startFailed: 0,
  confirmable: 0.0957,
  changing: 0.1,
  chance: 0.834,
};

const tune = (more: object) =>
  parseTune({ name: 't', start: 'kept', try: { models: ['nano'] }, ...more });

test('says what a tune takes, what it can show, and when it is paid for', () => {
  expect(describeTune(tune({ goal: 'cheaper', margin: 10 }), PLANNED)).toEqual([
    't: 1 change, searched on 100 questions (half A), confirmed on 96 (half B)',
    'Search    100 to 300 calls, $0.10 to $3.00',
    'Confirm   at most 288 calls, $2.88, set aside',
    'Shows     a change that loses nothing is confirmed with a chance of 83 %, if 10 % of the answers change; a margin of 9.6 points would give a chance of 80 %',
    'Pays      a question of the start costs $0.02; if half of that is saved, the tune has paid for itself after 10 to 588 questions',
    'Failures  an answer that fails counts as wrong, in the start and in every candidate',
  ]);
  const failing = { ...PLANNED, startFailed: 7 };
  expect(describeTune(tune({ goal: 'better' }), failing).at(-1)).toMatch(
    / candidate; 7 of the start failed, which each candidate asks anew: durable-rag retry kept asks them again first$/,
  );
  expect(describeTune(tune({ goal: 'better' }), PLANNED)[3]).toBe(
    'Shows     a gain of 9.6 points with a chance of 80 %, if 10 % of the answers change; one such gain among 1 change is found and shown with a chance of about 83 %',
  );
});

test('says what each change takes, by step', () => {
  expect(describeChanges(PLANNED)).toEqual([
    'On all of half A, each change takes',
    '  read: nano  100 to 300 calls, $0.10 to $3.00',
    '    read: 100 calls, $0.10 to $1.00',
    '    vote: 0 to 200 calls, $0 to $2.00',
  ]);
});

test('says what it does not know, and what was used before', () => {
  const unpriced = {
    ...PLANNED,
    questions: { A: 100, B: 96, used: 4 },
    start: { A: { calls: 1, usd: null }, B: { calls: 1, usd: null } },
    search: { least: { calls: 1, usd: null }, most: { calls: 1, usd: null } },
    startFigures: undefined,
  };
  expect(describeTune(tune({ goal: 'better' }), unpriced).slice(0, 3)).toEqual([
    't: 1 change, searched on 100 questions (half A), confirmed on 96 (half B; 4 more have confirmed another claim)',
    'Start     at most 1 call, at an unknown price on half A',
    'Search    1 call, at an unknown price',
  ]);
});
