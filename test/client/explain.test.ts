/** Which step is to blame: by the records of runs of three methods, and without a call. */
import { describe, expect, it } from 'vitest';
import { explanationText } from '../../cli/run/explain.js';
import { explainRun } from '../../client/report.js';
import { methodNamed } from '../../core/method-registry.js';
import { findAnswerLoss } from '../../interpreters/blame.js';
import type { ReplayedQuestion } from '../../interpreters/replay.js';
import { answerAndRecordCalls } from '../../interpreters/scripted.js';
import { perfectOutput } from '../../steps/perfect.js';
import { packCalls } from '../../stores/runs/call-records.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import type { FinishedCall } from '../../workflows/algorithm.js';
import { optionSets } from '../support/option-sets.js';
import { testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';

type Script = Partial<Record<ScriptedStep, string | ((prompt: string) => string)>>;

/** Explains one question that the model answers so, with these texts for what it reads. */
async function explained(
  method: string,
  said: Script,
  text = 'It was Bell, not Gray.',
  options: object = {},
  gold: object = { answers: ['Bell'], answerKind: 'span' },
) {
  const model = modelThatSays(({ step, prompt }) => {
    const reply = said[step] ?? '';
    return typeof reply === 'string' ? reply : reply(prompt);
  });
  const input = { question: 'Who invented it?', options };
  const ports = testPorts(model);
  const { result, calls } = await answerAndRecordCalls(method, input as never, ports);
  const question = { id: 'q', question: input.question, ...gold };
  // A run's options are complete.
  const complete = methodNamed(method, ports.methods).options.parse(options);
  const runs = {
    manifest: async () => ({ run: 'r', input: { method, options: complete } }),
    async *questions() {
      yield { question };
    },
    get: async () => ({ id: 'q', result, calls: packCalls(calls) }),
  } as unknown as RunStore;
  const texts = async (_: unknown, ids: readonly string[]) => new Map(ids.map((id) => [id, text]));
  return explainRun('r', { runs, texts, transcripts: ports.transcripts });
}

const sure: Script = {
  generateCandidates: '(a) Gray, (b) Bell',
  summarize: (prompt) => (/\(b\) Bell[^(]*$/.test(prompt) ? 'Bell did.[DONE]' : 'Gray did.[DONE]'),
  validate: 'True',
  rankPair: (prompt) => (/Bell did[\s\S]*Gray did/.test(prompt) ? 'Passage 2' : 'Passage 1'),
};

it('blames the votes, and not what no vote could mend', async () => {
  const votes = await explained('sure', sure);
  expect(votes.lost).toEqual([{ at: 'misread', step: 'rankPair', questions: 1 }]);
  expect(votes.steps.map(({ step, score, needs }) => [step, score?.mean, needs.calls])).toEqual([
    ['validate', 0, 0],
    ['rankPair', 1, 0],
  ]);
  const candidates = await explained('sure', { ...sure, generateCandidates: '(a) Gray, (b) Reis' });
  expect(candidates.lost).toMatchObject([{ at: 'dropped', step: 'generateCandidates' }]);
  const passages = await explained('base', { read: 'Gray' }, 'It was Gray.');
  expect(passages.lost).toMatchObject([{ at: 'notRead' }]);
});

it('blames readers that were shown the answer', async () => {
  const base = await explained('base', { read: 'Gray' });
  expect(base).toMatchObject({ right: 0, lost: [{ at: 'misread', step: 'read' }] });
  expect(explanationText(base)).toMatch(
    /read: reads or judges wrongly[\s\S]*read +100\.0 \(.*\+100\.0/,
  );
  const notes = await explained('chainOfNote', {
    takeNotes: 'Note 1 (relevant): So.\nAnswer: Gray',
  });
  expect(notes.lost).toMatchObject([{ at: 'misread', step: 'takeNotes' }]);
  expect(notes.steps).toMatchObject([{ score: { mean: 1 }, needs: { questions: 0 } }]);
  expect(await explained('base', { read: 'Bell' })).toMatchObject({ right: 1, lost: [] });
});

it('blames no step whose outputs are perfect, nor wording', async () => {
  const called = (said: string, isRight: boolean) => {
    const read = { step: 'read', input: { question: 'Who?', passages: ['p1'] }, output: said };
    const validated = { question: 'Who?', candidate: said, summary: 'Bell did.' };
    const validate = { step: 'validate', input: validated, output: isRight };
    return {
      question: 'Who?',
      answers: ['Bell', 'Alexander Graham Bell'],
      texts: new Map([['p1', 'It was Bell.']]),
      calls: [read, validate],
    } as unknown as ReplayedQuestion;
  };
  // A right verdict on a wrong answer: perfect answers lead to a verdict that nobody gave.
  const isRightWith = async (steps: ReadonlySet<string>) =>
    steps.has('validate') ? true : undefined;
  expect(await findAnswerLoss(called('Gray', false), isRightWith)).toEqual({ at: 'needsCalls' });
  expect(await findAnswerLoss(called('Gray', true), isRightWith)).toEqual({
    at: 'misread',
    step: 'validate',
  });
  const rejected = await findAnswerLoss(called('alexander graham bell', false), isRightWith);
  expect(rejected).toEqual({ at: 'misread', step: 'validate' });
  expect(
    perfectOutput(
      called('bell', true).calls[0] as FinishedCall,
      called('', true),
      new Map([['p1', 'Bell']]),
    ),
  ).toBe('bell');
});

it('is right by the metric that decides, and says how sure the difference is', async () => {
  const gold = {
    answerKind: 'long',
    answers: ['Bell', 'Boston'],
    answerGroups: [['Bell'], ['Boston', 'Massachusetts']],
  };
  const told = await explained('base', { read: 'Bell' }, 'Bell, in Boston.', {}, gold);
  expect(told).toMatchObject({ metrics: ['STR hit'], right: 0, steps: [{ score: { mean: 0 } }] });
  const both = await explained('base', { read: 'Bell, in Boston' }, 'Bell.', {}, gold);
  expect(both).toMatchObject({ metrics: ['STR hit'], right: 1, lost: [] });
  const [{ more } = { more: null }] = (await explained('base', { read: 'Gray' })).steps;
  expect(more).toMatchObject({ mean: 1, p: expect.any(Number) });
  expect(more?.low).toBeLessThan(1);
  const claim = { answerKind: 'label', answers: ['supports'] };
  expect((await explained('base', { read: 'no' }, '', {}, claim)).leftOut).toEqual({
    undecidable: 1,
  });
});

it('blames the answer to a sub-query or sub-question that left out what it was shown', async () => {
  const path = await explained(
    'corag',
    { nextSubQuery: 'Who filed first?', answerSubQuery: 'Nobody.', answerFromPath: 'Gray' },
    undefined,
    { length: 1 },
  );
  expect(path.lost).toMatchObject([{ at: 'dropped', step: 'answerSubQuery' }]);
  const asked = { decomposeQuestion: '1. Who filed first?', answerSubQuestion: 'unknown' };
  const parts = await explained('decompose', { ...asked, answerFromSubQuestions: 'Gray' });
  // The passages that it rests on are shown once more.
  expect(parts.lost).toMatchObject([{ at: 'misread', step: 'answerFromSubQuestions' }]);
  const routed = await explained('adaptiveRag', { classifyQuestion: 'None', read: 'Gray' });
  expect(routed.lost).toMatchObject([{ at: 'notRead' }]);
});

const SEARCH = '<|begin_search_query|>telephone<|end_search_query|>';
/** Searches once, then says this. */
const thenSays = (answer: string) => (prompt: string) =>
  prompt.endsWith('<|end_search_result|>\n\n') ? answer : SEARCH;
const information = (said: string) => `Final Information\n${said}`;
/** Longer than what a record has of a reading. */
const LONG = 'It is told in many words. '.repeat(20);

it('tells of methods that take turns whether the search, the reading or the end lost the answer', async () => {
  const end = { think: thenSays('\\boxed{Gray}') };
  const search = await explained(
    'searchO1',
    { ...end, readInDocuments: information('Gray did.') },
    'It was Gray.',
  );
  expect(search.lost).toMatchObject([{ at: 'notRead' }]);
  const reading = await explained('searchO1', { ...end, readInDocuments: information('Nobody.') });
  expect(reading.lost).toMatchObject([{ at: 'dropped', step: 'readInDocuments' }]);
  const last = await explained('searchO1', {
    ...end,
    readInDocuments: information(`${LONG} Bell did.`),
  });
  expect(last.lost).toMatchObject([{ at: 'misread', step: 'think' }]);

  const acts = (prompt: string) =>
    prompt.endsWith('Thought 1:') ? 'So.\nAction 1: search[it]' : 'So.\nAction 2: finish[Gray]';
  const found = await explained('react', { act: acts }, 'It was Gray.');
  expect(found.lost).toMatchObject([{ at: 'notRead' }]);
  const finished = await explained('react', { act: acts });
  expect(finished.lost).toMatchObject([{ at: 'misread', step: 'act' }]);
});

const wrong: Script = {
  ...sure,
  takeNotes: 'Note 1 (relevant): So.\nAnswer: Gray',
  reason: 'It is so.\nAnswer: Gray',
  scoreAnswer: '0.9',
  verifyClassify: '[YES]',
  followUp: 'So the final answer is: Gray',
  selfAsk: 'So the final answer is: Gray',
  nextThought: 'Answer: Gray',
  nextSubQuery: 'Who filed first?',
  answerSubQuery: 'Gray',
  ratePath: '5',
  answerFromPath: 'Gray',
  classifyQuestion: 'Single',
  rewriteQuestion: 'Gray patent',
  decomposeQuestion: '1. Who filed first?\n2. Who was #1?',
  answerSubQuestion: 'Gray [1]',
  answerFromSubQuestions: 'Gray',
};

describe.each(optionSets)('%s %j', (method, options) => {
  it('takes perfect outputs of each of its steps', async () => {
    const one = await explained(method, { read: 'Gray', ...wrong }, undefined, options);
    expect(one.questions).toBe(1);
    for (const { questions, needs } of one.steps) expect(questions + needs.questions).toBe(1);
  });
});
