/** Oracles read perfectly what their step was shown, and know nothing else. */
import { expect, it } from 'vitest';
import { hasAnswer } from '../../core/normalize-answer.js';
import type { Gold, ModelStep } from '../../steps/define.js';
import { modelSteps } from '../../steps/table.js';

const ANSWERS = ['Bell', 'Alexander Graham Bell'];
const OTHER = 'Gray filed a caveat.';

/** Inputs of all steps with an oracle, which hold `text` wherever a text is shown. */
function inputs(text: string, candidate: string): Record<string, object> {
  const history = [{ query: 'Who?', evidence: text }];
  const passages = ['p1', 'p2'];
  const turn = {
    question: 'Who invented it?',
    soFar: null,
    added: [{ result: text }],
    turn: 1,
    last: false,
  };
  const asked = { question: 'Who invented it?', passages, demonstrations: [] };
  return {
    answerFromSubQuestions: {
      ...asked,
      subQuestions: [{ question: 'Who?', answer: text, evidence: [1] }],
    },
    act: { ...turn, number: 1, demonstrations: [] },
    answerFromPath: { ...asked, pairs: [{ question: 'Who?', answer: text }] },
    answerFromNotes: { ...asked, notes: [{ text, type: null }, null] },
    answerWithCitations: { ...asked, form: 'prose' },
    answerWithEvidence: { question: '', history },
    choose: { ...asked, choices: ['Gray', candidate] },
    followUp: { question: '', history: [{ question: 'Who?', answer: text }], last: true },
    infer: asked,
    metaReason: { ...asked, pairs: [{ question: 'Who?', answer: text }] },
    nextThought: { ...asked, thoughts: [text] },
    rankPair: { question: '', first: { k: 0, summary: OTHER }, second: { k: 1, summary: text } },
    rankPassages: asked,
    read: asked,
    readBackground: { ...asked, documents: [text], readerPrompt: 1 },
    readPassage: { question: '', passage: 'p2', k: 1, probability: false },
    readSummaries: { ...asked, summaries: [text] },
    reason: asked,
    scoreAnswer: { question: '', history, answer: candidate },
    selectDocuments: { question: '', count: 1, documents: passages, iteration: 1, selection: 1 },
    takeNotes: { ...asked, examples: false },
    readInDocuments: { ...asked, soFar: null },
    think: { ...turn, protocol: 'search-r1' },
    thinkAndAnswer: { ...asked, iteration: 0 },
    validate: { question: '', candidate, summary: text },
    verifyClassify: { ...asked, demonstration: null },
    verifyScore: asked,
  };
}

const declared = Object.entries<ModelStep<never, unknown>>(modelSteps).filter(
  ([, { oracle }]) => oracle,
);

function perfect(text: string, candidate: string): Record<string, unknown> {
  const passages = [OTHER, text].map((shown, i) => ({ id: `p${i + 1}`, title: '', text: shown }));
  const gold: Gold = { answers: ANSWERS, passages };
  const given = inputs(text, candidate);
  expect(Object.keys(given).sort()).toEqual(declared.map(([name]) => name).sort());
  return Object.fromEntries(
    declared.map(([name, step]) => [name, step.oracle?.(given[name] as never, gold)]),
  );
}

it('give no accepted answer where nothing shown holds one', () => {
  for (const [name, output] of Object.entries(perfect(OTHER, 'Meucci'))) {
    expect([name, hasAnswer(JSON.stringify(output ?? null), ANSWERS)]).toEqual([name, false]);
  }
});

it('read what is shown', () => {
  expect(perfect('It was Bell.', 'bell')).toMatchObject({
    answerFromNotes: 'Bell',
    answerFromPath: 'Bell',
    answerFromSubQuestions: 'Bell',
    answerWithCitations: 'Bell [2]',
    answerWithEvidence: 'Bell',
    choose: { choice: 1 },
    followUp: { answer: 'Bell' },
    infer: 'Bell',
    rankPair: 'second',
    rankPassages: [1, 0],
    read: 'Bell',
    scoreAnswer: 1,
    selectDocuments: [2],
    takeNotes: { answer: 'Bell' },
    validate: true,
    verifyClassify: true,
    verifyScore: 10,
  });
  expect(perfect(OTHER, 'Meucci')).toMatchObject({
    choose: undefined,
    infer: null,
    rankPair: undefined,
    read: undefined,
    scoreAnswer: 0,
    validate: false,
    verifyClassify: false,
    verifyScore: 0,
  });
});

it('say each thing that is to be said and shown, and cite where', () => {
  const passages = ['Bell did it.', 'It was in Boston.', OTHER].map((text, i) => ({
    id: `p${i}`,
    title: '',
    text,
  }));
  const answerGroups = [['1876'], ['Boston', 'Massachusetts'], ['Bell']];
  const gold: Gold = { answers: answerGroups.flat(), answerGroups, passages };
  const asked = { question: 'Who, where and when?', passages: ['p0', 'p1', 'p2'] };
  const said = (form: 'prose' | 'list', of: Gold = gold) =>
    modelSteps.answerWithCitations.oracle?.({ ...asked, form, demonstrations: [] }, of);
  expect(said('prose')).toBe('Boston [2]. Bell [1]');
  expect(said('list')).toBe('Boston [2], Bell [1]');
  expect(said('list', { answers: ['Bell'], passages })).toBeUndefined();
  const enough = (of: Gold) =>
    modelSteps.verifyClassify.oracle?.({ ...asked, demonstration: null }, of);
  expect(enough(gold)).toBe(false);
  expect(enough({ ...gold, answerGroups: answerGroups.slice(1) })).toBe(true);
  expect(enough({ answers: answerGroups.flat(), passages })).toBe(true);
  expect(enough({ answers: [], passages })).toBeUndefined();
});
