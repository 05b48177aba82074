import { describe, expect, it } from 'vitest';
import { sampleSeed } from '../../../core/sampler.js';
import type { ScriptedReply } from '../../../testing/scripted-model.js';
import { says } from '../../support/run-scripted.js';
import { play, scenarios } from '../../support/scenarios.js';

const EXPLAINED = 'The passages tell of two men, of whom Bell was the first to be granted it.';

scenarios('base', {
  'base reads the passages once': {
    script: says('read', 'Answer: "Bell".'),
    result: {
      outcome: 'answered',
      answer: 'Bell',
      retrievals: 1,
      evidence: { length: 10 },
      usage: { calls: 1 },
      chain: { reading: 'Bell' },
    },
    check({ prompts }) {
      expect(prompts()[0]).toContain('Text of passage 10.');
    },
  },
  'base asks again for fewer words, and takes the last reply': {
    script: says('read', EXPLAINED, EXPLAINED, `${EXPLAINED} It was in 1876.`),
    result: {
      outcome: 'answered',
      answer: `${EXPLAINED} It was in 1876`,
    },
    flags: ['read longAnswer', 'read reasked', 'read reasked'],
    check({ prompts }) {
      expect(prompts()[1]).toContain('Write the answer only, in at most 3 words.');
    },
  },
  'base takes a short reply after a long one': {
    script: says('read', EXPLAINED, 'Bell [2]'),
    result: { outcome: 'answered', answer: 'Bell' },
    flags: ['read reasked'],
  },
});

describe('noRetrieval', () => {
  scenarios('noRetrieval', {
    'answers from memory, with examples if there are any': {
      script: says('read', 'Bell'),
      options: { demonstrations: [{ question: 'Example question?', answer: 'Example answer' }] },
      result: {
        method: 'noRetrieval',
        outcome: 'answered',
        answer: 'Bell',
        evidence: [],
        retrievals: 0,
        flags: [],
        usage: { calls: 1 },
        chain: { passages: [], reading: 'Bell' },
      },
      check({ prompts }) {
        expect(prompts()[0]).toContain('Example answer');
        expect(prompts()[0]).not.toMatch(/<passage|passages/);
      },
    },
    'says that it does not know': {
      script: says('read', 'I do not know.'),
      result: { outcome: 'unknown', answer: null },
    },
    'says that the answer cannot be read': {
      script: says('read', '...'),
      reasks: 0,
      result: { outcome: 'unreadable', chain: { reading: null } },
    },
  });
});

scenarios('chainOfThought', {
  'chainOfThought reasons over the passages, then answers': {
    script: says('reason', 'Bell filed first.\nAnswer: Bell.'),
    result: {
      answer: 'Bell',
      usage: { calls: 1 },
      evidence: { length: 10 },
      chain: { reasoning: 'Bell filed first.', reading: 'Bell' },
    },
    check({ prompts }) {
      expect(prompts()[0]).toContain('Text of passage 10.');
    },
  },
});

/**
 * Four passages. The ranking names 3, 9 (there is none), 3 again and 1: so the order is 3, 1, and
 * then those it left out, 2 and 4. p3 alone does not suffice, p3 and p1 cannot be read, p3, p1 and
 * p2 give the answer: 1 + 3 calls.
 */
describe('selectionInference', () => {
  const ranked = says('rankPassages', '[3] > [9] > [3] > [1]');
  const options = { passages: 4 };

  scenarios('selectionInference', {
    'adds passages from the highest ranked down until they suffice': {
      script: [...ranked, ...says('infer', 'INSUFFICIENT', '', 'Bell')],
      options,
      reasks: 0,
      flags: ['infer fallback'],
      result: {
        outcome: 'answered',
        answer: 'Bell',
        usage: { calls: 4 },
        evidence: ['p3', 'p1', 'p2'],
        chain: { order: ['p3', 'p1', 'p2', 'p4'], readings: [null, null, 'Bell'] },
      },
      check({ prompts }) {
        const shown = (prompt: string) =>
          [...prompt.matchAll(/Text of passage (\d+)\./g)].map(([, n]) => n).join(' ');
        expect(prompts().map(shown)).toEqual(['1 2 3 4', '3', '3 1', '3 1 2']);
      },
    },
    'asks for an answer without a way out once all are read': {
      script: [
        ...ranked,
        ...says('read', 'Gray'),
        ...says('infer', ...Array<string>(3).fill('Not enough information.')),
      ],
      options,
      result: { answer: 'Gray', evidence: ['p3', 'p1', 'p2', 'p4'] },
    },
    'keeps retrieval order when the ranking cannot be read': {
      script: [...says('rankPassages', 'None of them.'), ...says('infer', 'Bell')],
      options,
      reasks: 0,
      result: { answer: 'Bell', evidence: ['p1'], chain: { order: ['p1', 'p2', 'p3', 'p4'] } },
    },
  });

  it.each([1, 0])('reads %i passages without ranking them', async (length) => {
    await play('selectionInference', {
      script: says('read', 'Bell'),
      options,
      finds: () => ['p1'].slice(0, length),
      result: { evidence: { length } },
    });
  });
});

/**
 * Five samples: Gray, Bell, "the bell", one that cannot be read, one that does not know. So there
 * are two candidates, Gray (1 sample) and Bell (2). Two parts of the question are masked. From Gray
 * only the telephone is recovered, from Bell both: Bell. 5 + 1 + 2 x 2 calls.
 */
describe('selfVerification', () => {
  /** Each sample of a question has a seed of its own. */
  const sampled = (...said: string[]) =>
    said.map((say, i): ScriptedReply => ({ step: 'reason', say, seed: sampleSeed(0, i) }));
  const bell = 'So.\nAnswer: Bell';
  const samples = sampled(
    'So.\nAnswer: Gray',
    bell,
    'Well.\nAnswer: the bell',
    'Well.',
    'Well.\nAnswer: unknown',
  );
  const recover = (part: string, candidate: string, say: string): ScriptedReply => ({
    step: 'recoverCondition',
    when: new RegExp(`Who got the ${part}[^]*Right answer: ${candidate}`),
    say,
  });
  const [noPatent, noTelephone] = ['\\[X\\] for the telephone', 'first patent for the \\[X\\]'];
  const shared = { reasks: 0, options: { passages: 2 } };

  scenarios('selfVerification', {
    'takes the candidate from which the question is best recovered': {
      ...shared,
      script: [
        ...samples,
        ...says('nameConditions', 'first patent\nthe steam engine\nTelephone'),
        recover(noPatent, 'Gray', 'a caveat'),
        recover(noTelephone, 'Gray', 'telephone'),
        recover(noPatent, 'Bell', 'The first patent.'),
        recover(noTelephone, 'Bell', '[X]: the telephone'),
      ],
      result: {
        outcome: 'answered',
        answer: 'Bell',
        evidence: ['p1', 'p2'],
        chain: {
          samples: [
            { reasoning: 'So.', answer: 'Gray' },
            { reasoning: 'So.', answer: 'Bell' },
            { reasoning: 'Well.', answer: 'the bell' },
            null,
            { reasoning: 'Well.', answer: 'unknown' },
          ],
          conditions: ['first patent', 'telephone'],
          candidates: [
            { text: 'Gray', samples: 1, recovered: ['a caveat', 'telephone'], verified: 1 },
            {
              text: 'Bell',
              samples: 2,
              verified: 2,
              recovered: ['The first patent', 'the telephone'],
            },
          ],
        },
      },
      check({ model }) {
        const requests = model.requests.filter(({ step }) => step === 'reason');
        expect(requests.map(({ request }) => request.temperature)).toEqual(Array(5).fill(0.7));
      },
    },
    'takes a single candidate unverified': {
      ...shared,
      script: sampled(...Array<string>(5).fill('Answer: Bell')),
      asked: { reason: 5 },
      result: {
        answer: 'Bell',
        chain: { conditions: [], candidates: [{ text: 'Bell', samples: 5 }] },
      },
    },
    'goes by the samples when no part of the question was named': {
      ...shared,
      script: [...samples, ...says('nameConditions', 'Thomas Edison')],
      asked: { reason: 5, nameConditions: 1 },
      flags: ['nameConditions fallback', 'reason fallback'],
      result: { answer: 'Bell' },
    },
  });
});
