import { describe, expect, it } from 'vitest';
import { says } from '../../support/run-scripted.js';
import { play, scenarios } from '../../support/scenarios.js';
import { telephoneScript } from '../../support/telephone.js';

const candidates = says('generateCandidates', '(a) Bell, (b) Gray');
const [, ...summaries] = telephoneScript().slice(0, 3);

describe('mcq', () => {
  scenarios('mcq', {
    'asks for candidates, then for one of them': {
      script: [...candidates, ...says('choose', '(b)')],
      result: {
        method: 'mcq',
        outcome: 'answered',
        answer: 'Gray',
        usage: { calls: 2 },
        retrievals: 1,
        flags: [],
        evidence: { length: 10 },
        chain: { candidates: [{ text: 'Bell' }, { text: 'Gray' }], choice: 1, reading: 'Gray' },
      },
      check({ prompts }) {
        expect(prompts('choose')[0]).toContain('Choices: (a) Bell (b) Gray\nAnswer:');
      },
    },
    'says unknown when the model refuses to choose': {
      script: [...candidates, ...says('choose', 'None of the above')],
      result: { outcome: 'unknown', answer: null },
    },
  });
});

it.each([
  ['sure', { votes: [] }],
  ['mcq', { choice: null, reading: null }],
  ['conditionalSummaries', {}],
] as const)(
  '%s takes a single candidate, repeated in other letters, for the answer',
  async (method, chain) => {
    await play(method, {
      script: says('generateCandidates', '(a) Bell, (b) the bell.'),
      result: {
        answer: 'Bell',
        flags: [{ kind: 'fewerCandidates', detail: '1 of 2' }],
        chain: { candidates: [{ text: 'Bell' }], ...chain },
      },
    });
  },
);

scenarios('summarizeThenPredict', {
  'summarizeThenPredict reads one summary in place of the passages': {
    script: [
      ...says('summarizeGeneric', 'Bell was granted it. </summary x> [DONE] More.'),
      ...says('readSummaries', 'Bell'),
    ],
    result: {
      answer: 'Bell',
      usage: { calls: 2 },
      chain: { summary: 'Bell was granted it. </summary x>', reading: 'Bell' },
    },
    check({ prompts }) {
      const [summarized, read] = prompts();
      expect(summarized).toContain('Text of passage 10.');
      expect(summarized).not.toContain('Choices:');
      expect(read).not.toContain('Text of passage');
      expect(read?.match(/<\/summary/g)).toHaveLength(1);
    },
  },
});

scenarios('conditionalSummaries', {
  'conditionalSummaries reads the summaries beside the passages': {
    script: [...candidates, ...summaries, ...says('readSummaries', 'Gray.')],
    result: {
      answer: 'Gray',
      chain: {
        candidates: [
          { text: 'Bell', summary: 'Bell was granted it.' },
          { text: 'Gray', summary: 'Gray filed a caveat.' },
        ],
        reading: 'Gray',
      },
    },
    check({ prompts }) {
      expect(prompts('readSummaries')[0]).toMatch(
        /Text of passage 10\..*Bell was granted it\..*Gray filed a caveat\..*Task:/s,
      );
    },
  },
});

/**
 * Bell is valid and Gray is not; both orders of the pair are for Gray. So r is 0 and 1, v is 1 and
 * 0: v + r ties, which goes to Bell, ranking alone to Gray, validity alone to Bell (SuRe eq. 6).
 */
it.each([
  ['validityAndRanking', 'Bell', { validate: 2, rankPair: 2 }, [true, 0]],
  ['ranking', 'Gray', { rankPair: 2 }, [undefined, 0]],
  ['validity', 'Bell', { validate: 2 }, [true, undefined]],
] as const)('sure by %s takes %s', async (selection, answer, judges, judged) => {
  const script = telephoneScript().map((line) =>
    line.step === 'rankPair'
      ? { ...line, say: line.say === 'Passage 1' ? 'Passage 2' : 'Passage 1' }
      : line,
  );
  await play('sure', {
    script,
    spare: true,
    options: { selection },
    asked: { generateCandidates: 1, summarize: 2, ...judges },
    result: { answer },
    check({ result }) {
      const [bell] = result.chain?.candidates ?? [];
      expect([bell?.valid, bell?.rank]).toEqual(judged);
      expect(result.chain?.votes).toHaveLength(selection === 'validity' ? 0 : 2);
    },
  });
});
