/** What forks at single steps recover: by question, with one correction over the steps. */
import { expect, it } from 'vitest';
import { NO_USAGE } from '../../../core/usage.js';
import { recoveredBy } from '../../../evaluation/runs/recovered.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';

/** A run whose question i is right where `right` has a 1 there, "w" where it is asked whole. */
function source(run: string, right: string): RunSource {
  const ids = [...right].map((_, i) => `${i}`);
  return {
    manifest: { run, input: {} },
    async *questions() {
      for (const id of ids) yield { id, ...(right[Number(id)] !== 'w' && { taken: 'calls' }) };
    },
    answer: async (id: string) => ({
      id,
      scores: { em: Number(right[Number(id)] === '1') },
      result: { outcome: 'answered', answer: right[Number(id)], usage: { ...NO_USAGE, calls: 2 } },
    }),
  } as unknown as RunSource;
}

it('counts what became right of what was wrong, and corrects over the steps', async () => {
  const parent = source('parent', '0'.repeat(30) + '1'.repeat(10));
  const [votes, verdicts, none] = await recoveredBy(parent, [
    {
      step: 'rankPair',
      source: source('votes', `${'1'.repeat(15)}${'0'.repeat(16)}${'1'.repeat(9)}`),
    },
    { step: 'validate', source: source('verdicts', `1w${'0'.repeat(28)}${'1'.repeat(10)}`) },
    { step: 'summarize', source: source('none', 'w'.repeat(40)) },
  ]);
  expect(votes).toMatchObject({
    fork: 'votes',
    questions: 40,
    wrong: 30,
    broken: 1,
    took: { calls: 80 },
    recovered: { mean: 0.5 },
  });
  expect(votes?.more?.mean).toBeCloseTo(14 / 40);
  // Two differences are tested: the smaller p is doubled, and its interval leaves 0 out.
  expect(votes?.more?.corrected).toBeCloseTo(2 * (votes?.more?.p ?? 0));
  expect(votes?.more?.low).toBeGreaterThan(0);
  expect(verdicts).toMatchObject({ questions: 39, wrong: 29, recovered: { mean: 1 / 29 } });
  expect(verdicts?.more?.low).toBeLessThan(0);
  expect(none).toMatchObject({ questions: 0, wrong: 0, recovered: null, more: null });
});
