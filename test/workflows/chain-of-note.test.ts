import { describe, expect } from 'vitest';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const NOTES = [
  ['irrelevant', 'The passage is about rivers.'],
  ['relevant', 'The passage says that Bell was granted it.'],
  ['contextual', 'The passage gives the year, 1876.'],
  ['irrelevant', 'The passage is about towns.'],
  [null, 'The passage names both men.'],
] as const;

const single = (...replies: ScriptedReply['say'][]) => says('takeNotes', ...replies);
const whole = single(
  [
    ...NOTES.map(([type, text], i) => `Note ${i + 1}${type ? ` (${type})` : ''}: ${text}`),
    'Answer: Bell',
  ].join('\n'),
);

/** Passage i is the only one in its prompt: "Text of passage i." */
const note = (i: number, say: ScriptedReply['say']): ScriptedReply => ({
  step: 'takeNote',
  when: new RegExp(`Text of passage ${i}\\.`),
  say,
});
const noteByNote = NOTES.map(([type, text], i) =>
  note(i + 1, type ? `${type[0]?.toUpperCase()}${type.slice(1)}: ${text}` : text),
);

/** What both forms make of the replies above (Chain-of-Note 3.3: notes in order, then the answer). */
const wholeTrace = {
  method: 'chainOfNote',
  outcome: 'answered',
  answer: 'Bell',
  retrievals: 1,
  flags: [],
  // All but the two passages that the notes call irrelevant.
  evidence: ['p2', 'p3', 'p5'],
  chain: {
    passages: [1, 2, 3, 4, 5].map((i) => ({ id: `p${i}`, title: `Title ${i}`, score: 11 - i })),
    notes: NOTES.map(([type, text], i) => ({ passage: `p${i + 1}`, text, type })),
    reading: 'Bell',
  },
};

describe('chainOfNote in one call', () => {
  scenarios('chainOfNote', {
    'writes a note for each passage, then answers': {
      script: whole,
      result: { ...wholeTrace, usage: { calls: 1 } },
      check({ prompts }) {
        const [prompt = ''] = prompts();
        expect(prompt).toContain('Note 5 (relevant, contextual or irrelevant): ...\nAnswer: ...');
        expect(prompt).not.toContain('Note 6');
        expect(prompt).toMatch(/Text of passage 5\..*Task:.*Question: .*\?\s*$/s);
        expect(prompt.trimEnd().endsWith(question)).toBe(true);
      },
    },
    'shows an example of each type of note before everything else, when asked to': {
      script: whole,
      options: { examples: true },
      result: wholeTrace,
      check({ prompts }) {
        const [prompt = ''] = prompts();
        for (const type of ['relevant', 'contextual', 'irrelevant']) {
          expect(prompt).toMatch(new RegExp(`^Note \\d \\(${type}\\):`, 'm'));
        }
        expect(prompt).toMatch(/Example 3.*Text of passage 1\./s);
      },
    },
    // Passages 1 and 4 have no note, 6 and 7 do not exist, 5 stands before 2.
    'lives with notes fewer than passages, more, and out of order': {
      script: single(
        'Note 5: E.\nNote 2 (relevant): B.\nNote 3: C.\nNote 6: F.\nNote 7: G.\nAnswer: Bell',
      ),
      result: {
        answer: 'Bell',
        evidence: ['p1', 'p2', 'p3', 'p4', 'p5'],
        chain: { notes: [{ passage: 'p2' }, { passage: 'p3' }, { passage: 'p5' }] },
        flags: [
          { kind: 'extraNotes', step: 'takeNotes', detail: '2 on passages that do not exist' },
          { kind: 'fewerNotes', step: 'takeNotes', detail: '3 of 5' },
        ],
      },
    },
    'says unknown where the model does not know': {
      script: single(
        `${[1, 2, 3, 4, 5].map((i) => `Note ${i} (irrelevant): Rivers.`).join('\n')}\nAnswer: I do not know.`,
      ),
      result: { outcome: 'unknown', answer: null, evidence: [], flags: [] },
    },
    'asks again for a missing answer, and keeps the notes when it never comes': {
      script: single(
        ...Array<ScriptedReply['say']>(2).fill({
          text: 'Note 1 (relevant): Bell.\nNote 2 (irr',
          end: 'cut',
        }),
      ),
      flags: ['takeNotes fallback', 'takeNotes fewerNotes', 'takeNotes reasked'],
      result: { outcome: 'unreadable', answer: null, usage: { calls: 2 } },
      check({ result, model, prompts }) {
        expect(model.requests.map(({ request }) => request.maxTokens)).toEqual([1024, 2048]);
        for (const prompt of prompts().slice(1)) expect(prompt).toContain('could not be read');
        expect(result.chain?.notes[0]).toEqual({ passage: 'p1', text: 'Bell.', type: 'relevant' });
      },
    },
  });
});

describe('chainOfNote by passage', () => {
  const options = { form: 'per-passage' } as const;

  scenarios('chainOfNote', {
    'takes k + 1 calls to the same trace': {
      script: [...noteByNote, ...says('answerFromNotes', 'Bell')],
      options,
      result: wholeTrace,
      // A note is shown its passage alone, and the answer all passages and notes.
      check({ prompts }) {
        const [last = ''] = prompts('answerFromNotes');
        expect(last.match(/<\/passage>/g)).toHaveLength(5);
        expect(last).toContain('<note passage="4" type="irrelevant">\nThe passage is about towns.');
        // What notes on different passages can share is the task and the question: both stand first.
        const [first = '', ...others] = prompts('takeNote');
        const head = first.slice(0, first.indexOf('<passage number="1">'));
        expect(head).toContain(`Question: ${question}`);
        for (const other of others) expect(other.startsWith(head)).toBe(true);
        for (const one of [first, ...others]) expect(one.match(/<\/passage>/g)).toHaveLength(1);
      },
    },
    'goes on without a note that stays unreadable': {
      script: [
        ...Array<ScriptedReply>(3).fill(note(1, '...')),
        ...noteByNote.slice(1),
        { step: 'answerFromNotes', when: /^(?!.*<note passage="1")/s, say: 'unknown' },
      ],
      options,
      flags: ['takeNote fallback', 'takeNote fewerNotes', 'takeNote reasked', 'takeNote reasked'],
      result: {
        outcome: 'unknown',
        chain: { notes: ['p2', 'p3', 'p4', 'p5'].map((passage) => ({ passage })) },
      },
    },
  });
});
