import { describe, expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import type { MethodInput } from '../../core/options/input.js';
import type { Line, ScriptedStep } from '../../testing/scripted-model.js';
import type { OptionsOf } from '../../workflows/methods.js';
import { runScripted as playMethod } from '../support/run-scripted.js';
import { QUESTION as question } from '../support/telephone.js';

const runScripted = (
  script: Line[],
  input: Partial<MethodInput<OptionsOf<'chainOfNote'>>> = {},
  changes: Partial<Ports> = {},
) => playMethod('chainOfNote', script, input, changes);

const wholeReply = `Note 1 (irrelevant): The passage is about rivers.
Note 2 (relevant): The passage says that Bell was granted it.
Note 3 (contextual): The passage gives the year, 1876.
Note 4 (irrelevant): The passage is about towns.
Note 5: The passage names both men.
Answer: Bell`;

const single = (say: Line['say'], when?: RegExp): Line => ({
  step: 'takeNotes',
  say,
  ...(when && { when }),
});

/** Passage i is the only one in its prompt: "Text of passage i." */
const note = (i: number, say: Line['say'], more: Partial<Line> = {}): Line => ({
  step: 'takeNote',
  when: new RegExp(`Text of passage ${i}\\.`),
  say,
  ...more,
});
const noteByNote: Line[] = [
  note(1, 'Irrelevant: The passage is about rivers.'),
  note(2, 'Relevant: The passage says that Bell was granted it.'),
  note(3, 'Contextual: The passage gives the year, 1876.'),
  note(4, 'Irrelevant: The passage is about towns.'),
  note(5, 'The passage names both men.'),
  { step: 'answerFromNotes', say: 'Bell' },
];
const perPassage = { options: { form: 'per-passage' as const } };

/** What both forms make of the replies above (Chain-of-Note 3.3: notes in order, then the answer). */
const wholeTrace = {
  method: 'chainOfNote',
  outcome: 'answered',
  answer: 'Bell',
  // All but the two passages that the notes call irrelevant.
  evidence: ['p2', 'p3', 'p5'],
  retrievals: 1,
  flags: [],
  chain: {
    passages: [1, 2, 3, 4, 5].map((i) => ({ id: `p${i}`, title: `Title ${i}`, score: 11 - i })),
    notes: [
      { passage: 'p1', text: 'The passage is about rivers.', type: 'irrelevant' },
      { passage: 'p2', text: 'The passage says that Bell was granted it.', type: 'relevant' },
      { passage: 'p3', text: 'The passage gives the year, 1876.', type: 'contextual' },
      { passage: 'p4', text: 'The passage is about towns.', type: 'irrelevant' },
      { passage: 'p5', text: 'The passage names both men.', type: null },
    ],
    reading: 'Bell',
  },
};

describe('chainOfNote in one call', () => {
  it('writes a note for each passage, then answers', async () => {
    const { result, model, asked } = await runScripted([single(wholeReply)]);
    expect(asked).toEqual({ takeNotes: 1 });
    expect(result).toMatchObject(wholeTrace);
    expect(result.usage.calls).toBe(1);
    const [{ prompt } = { prompt: '' }] = model.requests;
    expect(prompt).toContain('Note 5 (relevant, contextual or irrelevant): ...\nAnswer: ...');
    expect(prompt).not.toContain('Note 6');
    expect(prompt.indexOf('Text of passage 5.')).toBeLessThan(prompt.indexOf('Task:'));
    expect(prompt.trimEnd().endsWith(`Question: ${question}`)).toBe(true);
  });

  it('shows an example of each type of note before everything else, when asked to', async () => {
    const { result, model, asked } = await runScripted([single(wholeReply)], {
      options: { examples: true },
    });
    expect(asked).toEqual({ takeNotes: 1 });
    expect(result).toMatchObject(wholeTrace);
    const [{ prompt } = { prompt: '' }] = model.requests;
    for (const type of ['relevant', 'contextual', 'irrelevant']) {
      expect(prompt).toMatch(new RegExp(`^Note \\d \\(${type}\\):`, 'm'));
    }
    expect(prompt.indexOf('Example 3')).toBeLessThan(prompt.indexOf('Text of passage 1.'));
  });

  it('lives with notes fewer than passages, more, and out of order', async () => {
    // Passages 1 and 4 have no note, 6 and 7 do not exist, 5 stands before 2.
    const { result, asked } = await runScripted([
      single('Note 5: E.\nNote 2 (relevant): B.\nNote 3: C.\nNote 6: F.\nNote 7: G.\nAnswer: Bell'),
    ]);
    expect(asked).toEqual({ takeNotes: 1 });
    expect(result.chain?.notes.map(({ passage }) => passage)).toEqual(['p2', 'p3', 'p5']);
    expect(result).toMatchObject({ answer: 'Bell', evidence: ['p1', 'p2', 'p3', 'p4', 'p5'] });
    expect(result.flags).toEqual([
      { kind: 'extraNotes', step: 'takeNotes', detail: '2 on passages that do not exist' },
      { kind: 'fewerNotes', step: 'takeNotes', detail: '3 of 5' },
    ]);
  });

  it('says unknown where the model does not know', async () => {
    const notes = [1, 2, 3, 4, 5].map((i) => `Note ${i} (irrelevant): Rivers.`).join('\n');
    const { result } = await runScripted([single(`${notes}\nAnswer: I do not know.`)]);
    expect(result).toMatchObject({ outcome: 'unknown', answer: null, evidence: [], flags: [] });
    expect(result.chain?.notes).toHaveLength(5);
  });

  it('asks again for a missing answer, and keeps the notes when it never comes', async () => {
    const cut = { text: 'Note 1 (relevant): Bell.\nNote 2 (irr', cut: true };
    const again = /could not be read/;
    const { result, model } = await runScripted([
      single(cut),
      single(cut, again),
      single(cut, again),
    ]);
    expect(model.requests.map(({ request }) => request.maxTokens)).toEqual([1024, 2048, 4096]);
    expect(result).toMatchObject({ outcome: 'unreadable', answer: null, usage: { calls: 3 } });
    expect(result.chain?.notes[0]).toEqual({ passage: 'p1', text: 'Bell.', type: 'relevant' });
    expect(result.flags.map(({ kind }) => kind).sort()).toEqual([
      'fallback',
      'fewerNotes',
      'reasked',
      'reasked',
    ]);
  });
});

describe('chainOfNote by passage', () => {
  it('takes k + 1 calls to the same trace', async () => {
    const { result, model, asked } = await runScripted(noteByNote, perPassage);
    expect(asked).toEqual({ takeNote: 5, answerFromNotes: 1 });
    expect(model.left).toEqual([]);
    expect(result).toMatchObject(wholeTrace);
  });

  it('shows a note its passage alone, and the answer all passages and notes', async () => {
    const { model } = await runScripted(noteByNote, perPassage);
    const prompts = (of: ScriptedStep) =>
      model.requests.flatMap(({ step, prompt }) => (step === of ? [prompt] : []));
    for (const prompt of prompts('takeNote')) expect(prompt.match(/<\/passage>/g)).toHaveLength(1);
    const [last = ''] = prompts('answerFromNotes');
    expect(last.match(/<\/passage>/g)).toHaveLength(5);
    expect(last).toContain('<note passage="4" type="irrelevant">\nThe passage is about towns.');
    // What notes on different passages can share is the task and the question: both stand first.
    const [first = '', ...others] = prompts('takeNote');
    const head = first.slice(0, first.indexOf('<passage number="1">'));
    expect(head).toContain(`Question: ${question}`);
    for (const other of others) expect(other.startsWith(head)).toBe(true);
  });

  it('goes on without a note that stays unreadable', async () => {
    const { result, model } = await runScripted(
      [
        note(1, '...'),
        note(1, '...'),
        note(1, '...'),
        ...noteByNote.slice(1, 5),
        { step: 'answerFromNotes', when: /^(?![\s\S]*<note passage="1")/, say: 'unknown' },
      ],
      perPassage,
    );
    expect(model.left).toEqual([]);
    expect(result.outcome).toBe('unknown');
    expect(result.chain?.notes.map(({ passage }) => passage)).toEqual(['p2', 'p3', 'p4', 'p5']);
    expect(result.flags.map(({ kind, step }) => `${step} ${kind}`).sort()).toEqual([
      'takeNote fallback',
      'takeNote fewerNotes',
      'takeNote reasked',
      'takeNote reasked',
    ]);
  });
});
