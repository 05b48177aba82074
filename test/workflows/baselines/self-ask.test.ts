import { describe, expect } from 'vitest';
import { sampleSeed } from '../../../core/sampler.js';
import type { ScriptedReply } from '../../../testing/scripted-model.js';
import { says } from '../../support/run-scripted.js';
import { scenarios } from '../../support/scenarios.js';
import { QUESTION } from '../../support/telephone.js';

const asks = (...questions: string[]) =>
  says('followUp', ...questions.map((question) => `Follow up: ${question}`));
const ends = (answer: string) => says('followUp', `So the final answer is: ${answer}`);
const reads = (question: RegExp, say: string): ScriptedReply => ({
  step: 'read',
  when: question,
  say,
});
/** The last asking, after which no other may come. */
const last = { step: 'followUp', when: /This line must end it/ };

/**
 * Worked out by hand. The first output goes on and makes up its own intermediate answer, which does
 * not count. "Who filed first?" is looked up (p1, p2), then the question itself (p2, p3), and then
 * "who filed FIRST" is asked again: nothing new can come of it, so the final answer is due.
 * Calls: 4 asked, 2 read.
 */
describe('selfAsk', () => {
  const written =
    'Follow up: Who filed first?\nIntermediate answer: Bell.\nSo the final answer is: Bell';

  scenarios('selfAsk', {
    'asks and looks up by turns until the answer is there': {
      script: [
        ...says('followUp', written),
        reads(/Question: Who filed first\?/, 'Bell, in February'),
        ...asks(QUESTION),
        reads(/Question: Who got the first patent/, 'Bell'),
        ...asks('who filed FIRST'),
        ...ends('Alexander Graham Bell.'),
      ],
      finds: (query) => (query === QUESTION ? ['p2', 'p3'] : ['p1', 'p2']),
      queries: ['Who filed first?', QUESTION],
      result: {
        outcome: 'answered',
        answer: 'Alexander Graham Bell',
        retrievals: 2,
        flags: [],
        evidence: ['p1', 'p2', 'p3'],
        usage: { calls: 6 },
        chain: {
          followUps: [
            {
              question: 'Who filed first?',
              answer: 'Bell, in February',
              passages: [
                { id: 'p1', title: 'Title 1', score: 10 },
                { id: 'p2', title: 'Title 2', score: 9 },
              ],
            },
            { question: QUESTION, passages: [{ id: 'p2' }, { id: 'p3' }], answer: 'Bell' },
          ],
          answer: 'Alexander Graham Bell',
        },
      },
      check({ prompts }) {
        const asked = prompts('followUp');
        const shown = asked.map((prompt) => prompt.match(/<follow-up number/g)?.length ?? 0);
        expect(shown).toEqual([0, 1, 2, 2]);
        expect(asked.map((prompt) => last.when.test(prompt))).toEqual([false, false, false, true]);
        // Each begins as the one before it up to the end of what was known then.
        const known = (prompt = '') => prompt.slice(0, prompt.lastIndexOf('</follow-up>'));
        for (const [i, prompt] of asked.slice(2).entries()) {
          expect(prompt.startsWith(known(asked[i + 1]))).toBe(true);
        }
      },
    },
    'needs no follow-up for a simple question': {
      script: ends('Bell'),
      result: { answer: 'Bell', retrievals: 0, evidence: [] },
    },
    'stops asking at the bound, in as many calls as the formula says': {
      script: [
        { ...last, say: 'Bell' },
        ...asks('One?', 'Two?'),
        reads(/One/, '1'),
        reads(/Two/, '...'),
      ],
      options: { maxFollowUps: 2 },
      reasks: 0,
      result: {
        answer: 'Bell',
        usage: { calls: 2 * 2 + 1 },
        chain: { followUps: [{ answer: '1' }, { answer: null }] },
      },
      check({ prompts }) {
        expect(prompts().at(-1)).toContain('Intermediate answer: (none was found)');
      },
    },
    'goes on to the final answer when a follow-up cannot be read': {
      script: [{ ...last, say: 'Bell' }, ...says('followUp', 'Well.')],
      reasks: 0,
      result: {
        answer: 'Bell',
        flags: [{ kind: 'fallback', step: 'followUp', detail: 'follow-up 1: "Well."' }],
      },
    },
    'writes the whole chain in one call without retrieval': {
      script: says('selfAsk', written),
      options: { passages: 0 },
      result: {
        answer: 'Bell',
        evidence: [],
        retrievals: 0,
        usage: { calls: 1 },
        chain: {
          followUps: [{ question: 'Who filed first?', passages: [], answer: 'Bell' }],
          answer: 'Bell',
        },
      },
      check({ prompts }) {
        expect(prompts()[0]).toContain('at most 4 of them');
      },
    },
  });
});

/**
 * Three chains. The first answers Gray at once; the second and the third both ask "Who filed first?",
 * which is looked up once; the third cannot be read in the end. The first is greedy.
 * Calls: 1 + 2 + 2 asked, 1 read, 1 over all.
 */
describe('multiChain', () => {
  const inChain = (chain: number, lines: ScriptedReply[], when = /^/): ScriptedReply[] =>
    lines.map((line) => ({ when, ...line, seed: sampleSeed(0, chain) }));
  const first = /Question: Who got[^<]*$/;
  const later = /<follow-up/;

  scenarios('multiChain', {
    'reasons over all chains': {
      script: [
        ...inChain(0, ends('Gray')),
        ...inChain(1, asks('Who filed first?'), first),
        ...inChain(1, ends('Bell'), later),
        ...inChain(2, asks('Who filed first?'), first),
        // A line for the last asking stands before one that it fits as well.
        ...inChain(2, [{ ...last, say: '?' }]),
        ...inChain(2, says('followUp', '?'), later),
        reads(/Question: Who filed first\?/, 'Bell did'),
        ...says('metaReason', 'Two of three looked it up.\nAnswer: Bell'),
      ],
      options: { chains: 3 },
      reasks: 0,
      asked: { followUp: 6, read: 1, metaReason: 1 },
      result: {
        outcome: 'answered',
        answer: 'Bell',
        retrievals: 1,
        evidence: ['p1', 'p2', 'p3', 'p4', 'p5'],
        chain: {
          reasoning: 'Two of three looked it up.',
          reading: 'Bell',
          chains: [
            { answer: 'Gray', followUps: { length: 0 } },
            { answer: 'Bell', followUps: { length: 1 } },
            { answer: null, followUps: { length: 1 } },
          ],
        },
      },
      check({ prompts, model }) {
        const [prompt = ''] = prompts('metaReason');
        // What was read of the evidence does not stand for it, nor do the answers of the chains.
        expect(prompt).toMatch(/^Reference passages[\s\S]*<passage number="5">\nTitle: Title 5\n/);
        expect(prompt).not.toContain('Bell did');
        const lookedUp = 'Question: Who filed first?\nEvidence: passages 1, 2, 3, 4, 5';
        const pairs = [`Question: ${QUESTION}\nAnswer: Gray`, lookedUp, lookedUp];
        expect(prompt).toContain(
          pairs.map((pair, i) => `<pair number="${i + 1}">\n${pair}\n</pair>`).join('\n'),
        );
        const temperatures = model.requests
          .filter(({ step }) => step === 'followUp')
          .map(({ request }) => `${request.seed}: ${request.temperature}`);
        expect(new Set(temperatures)).toEqual(
          new Set([0, 0.7, 0.7].map((temperature, i) => `${sampleSeed(0, i)}: ${temperature}`)),
        );
      },
    },
    'takes the answer of most chains when the reasoning cannot be read': {
      script: [
        ...['Gray', 'Bell', 'the bell'].flatMap((answer, chain) => inChain(chain, ends(answer))),
        ...says('metaReason', 'They differ.'),
      ],
      options: { chains: 3 },
      reasks: 0,
      flags: ['metaReason fallback'],
      result: { answer: 'Bell', chain: { reasoning: null, reading: null } },
    },
    'writes its chains in one call each without retrieval': {
      script: [
        ...['', 'Follow up: Who filed first?\nIntermediate answer: Bell did\n'].flatMap(
          (before, chain) => inChain(chain, says('selfAsk', `${before}Final answer: Bell`)),
        ),
        ...says('metaReason', 'Both say so.\nAnswer: Bell'),
      ],
      options: { chains: 2, passages: 0 },
      result: { answer: 'Bell', retrievals: 0, usage: { calls: 2 + 1 } },
      check({ prompts }) {
        const [prompt] = prompts('metaReason');
        expect(prompt).not.toContain('<passage');
        expect(prompt).toContain('Question: Who filed first?\nAnswer: Bell did\n</pair>');
      },
    },
    'shows a passage once that several follow-ups found': {
      script: [
        ...inChain(0, asks('One?'), first),
        ...inChain(0, ends('Bell'), later),
        ...inChain(1, asks('Two?'), first),
        ...inChain(1, ends('Bell'), later),
        reads(/One/, '1'),
        reads(/Two/, '2'),
        ...says('metaReason', 'So.\nAnswer: Bell'),
      ],
      options: { chains: 2 },
      finds: (query) => (query === 'One?' ? ['p2', 'p1'] : ['p3', 'p1']),
      check({ prompts }) {
        expect(prompts('metaReason')[0]?.match(/^(?:Title|Evidence): .*$/gm)).toEqual([
          'Title: Title 2',
          'Title: Title 1',
          'Title: Title 3',
          'Evidence: passages 1, 2',
          'Evidence: passages 3, 2',
        ]);
      },
    },
    'asks for no reasoning over nothing': {
      script: says('followUp', ...Array<string>(6).fill('...')),
      options: { chains: 3 },
      reasks: 0,
      result: { outcome: 'unreadable', answer: null },
    },
  });
});
