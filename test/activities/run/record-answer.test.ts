/** What is kept of an answer, what the run is told of it, and what is asked again. */

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recordJudgement } from '../../../activities/run/judge-task.js';
import { readQuestions } from '../../../activities/run/read-questions.js';
import { recordAnswer } from '../../../activities/run/record-answer.js';
import { type MethodResult, type QuestionFailure, unanswered } from '../../../core/result.js';
import { NO_USAGE } from '../../../core/usage.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import { defineMethod } from '../../../workflows/define-method.js';
import { fixedCorpora } from '../../support/ports.js';
import { bell, result, setUp } from './support.js';

const STARTED = Date.parse('2026-01-02T03:04:05.678Z');
const own = [
  { title: 'Rhine', text: 'A river.' },
  { title: 'Telephone', text: 'Bell got the patent.' },
];
const asked = [
  bell,
  { ...bell, id: 'own', passages: own },
  { id: 'yes', question: 'Was it so?', answers: ['yes'] },
  { id: 'long', question: 'Why?', answers: [], claims: ['It rang.', 'It was loud.'] },
];

/** Records how a question of the run r ended. */
const recordIn = (
  ports: Parameters<typeof recordAnswer>[2],
  question: { id: string; at: number; run?: string },
  ended: MethodResult | null,
  {
    failure = null,
    startedAt = STARTED,
  }: { failure?: QuestionFailure | null; startedAt?: number } = {},
) => recordAnswer({ run: 'r', ...question }, { result: ended, failure, startedAt }, ports);

async function begun(changes: object = {}, parts: object = {}) {
  const run = await setUp(asked, changes, parts);
  await run.open();
  const { runs } = run.ports;
  const page = (from = 0) => readQuestions({ run: 'r', from }, run.ports);
  const places = new Map((await page()).questions.map(({ id, at }) => [id, at]));
  const record = (
    id: string,
    ended: MethodResult | null,
    failure: QuestionFailure | null = null,
    at = places.get(id) ?? places.size,
  ) => recordIn(run.ports, { id, at }, ended, { failure });
  return { ...run, runs, page, record };
}

const refs = (...ids: string[]) => ids.map((id, i) => ({ id, title: id, score: 10 - i }));

describe('recordAnswer', () => {
  it('scores the answer against its own question and keeps it whole', async () => {
    const { record, runs } = await begun();
    const right = result({ answer: 'The Bell.' });
    const allRight = { em: 1, f1: 1, hasAnswer: 1 };
    expect(await record('nq/1', right)).toEqual({
      id: 'nq/1',
      outcome: 'answered',
      scores: allRight,
      usage: right.usage,
    });
    const kept = await runs.get('r', 'nq/1');
    expect(kept).toMatchObject({ id: 'nq/1', result: right, scores: allRight });
    expect(kept?.startedAt).toBe('2026-01-02T03:04:05.678Z');
    expect(Date.parse(kept?.endedAt ?? '')).toBeGreaterThan(STARTED);

    const { scores } = await record('yes', result({ answer: 'no' }));
    expect(scores).toEqual({ accuracy: 0, em: 0, f1: 0, hasAnswer: 0 });
    // Recorded again by an attempt that was taken for lost: nothing changes.
    expect(await record('nq/1', right)).toMatchObject({ scores: allRight });
    expect((await runs.get('r', 'nq/1'))?.result).toEqual(right);
  });

  it('keeps what the attempts took that an answer replaces, once each', async () => {
    const { runs, ports, page } = await begun();
    const [{ at } = { at: -1 }] = (await page()).questions;
    const attempt = (minute: number, costUsd: number) => {
      const usage = { ...result().usage, costUsd };
      const failure = { type: 'Timeout', message: 'Late.', step: 'read' };
      const ended = result({ outcome: 'failed', answer: null, failure, usage });
      const startedAt = STARTED + minute * 60_000;
      return recordIn(ports, { id: 'nq/1', at }, ended, { failure, startedAt });
    };
    await attempt(0, 0.5);
    expect((await runs.get('r', 'nq/1'))?.earlier).toBeUndefined();
    await attempt(1, 0.25);
    // The activity is tried again after it has written.
    await attempt(1, 0.25);
    await attempt(2, 1);
    const kept = await runs.get('r', 'nq/1');
    expect(kept?.result?.usage).toMatchObject({ calls: 1, costUsd: 1 });
    expect(kept?.earlier).toMatchObject({ calls: 2, costUsd: 0.75 });
    expect((await page()).earlier).toMatchObject({ calls: 3, costUsd: 1.75 });
  });

  it('keeps what attempts without an answer may have cost', async () => {
    const { record, runs, page } = await begun();
    const tokens = { promptTokens: 9, completionTokens: 0 };
    const estimated = { attempts: 2, repeated: 0, ...tokens, costUsd: 1 };
    const usage = { ...result().usage, calls: 0, costUsd: 1, estimated };
    const failure = { type: 'Timeout', message: 'Late.', step: 'read' };
    await record('nq/1', result({ outcome: 'failed', answer: null, failure, usage }));
    expect((await page()).earlier).toMatchObject({ calls: 0, costUsd: 1, estimated });
    const kept = await runs.get('r', 'nq/1');
    if (!kept) throw new Error('There is no answer.');
    await runs.put('r', { ...kept, startedAt: '2026-01-01T00:00:00.000Z' });
    await record('nq/1', result());
    expect((await runs.get('r', 'nq/1'))?.earlier).toMatchObject({ costUsd: 1, estimated });
  });

  it('gives 0 to what is not answered, in every metric that applies, and says why', async () => {
    const { record, runs } = await begun();
    const unknown = result({ outcome: 'unknown', answer: null });
    const tally = await record('nq/1', unknown);
    expect(tally).toMatchObject({ outcome: 'unknown', scores: { em: 0, f1: 0 } });
    expect(tally.failure).toBeUndefined();

    const failure = { type: 'ContentRefused', message: 'No.', step: 'read' };
    const failed = result({ outcome: 'failed', answer: null, chain: null, failure });
    expect(await record('yes', failed)).toMatchObject({
      outcome: 'failed',
      failure,
      usage: { costUsd: 0.5 },
      scores: { accuracy: 0, em: 0, f1: 0 },
    });

    const terminated = { type: 'Terminated', message: 'By hand.', step: null };
    expect(await record('own', null, terminated)).toEqual({
      id: 'own',
      outcome: 'failed',
      failure: terminated,
      scores: { em: 0, f1: 0, hasAnswer: 0 },
      usage: expect.objectContaining({ calls: 0, costUsd: 0 }),
    });
    expect(await runs.get('r', 'own')).toMatchObject({ result: null, failure: terminated });
  });

  it('scores the passages of the corpus or of the question, and generated documents', async () => {
    const texts = ['Nothing.', 'Bell did.', 'Nothing again.', 'Bell once more.'].map((text, i) => ({
      id: `p${i + 1}`,
      title: 'Bell',
      text,
    }));
    const { record, runs, questions } = await begun({}, { corpora: fixedCorpora(texts) });
    await record('nq/1', result({ chain: { passages: refs('p1', 'p2', 'p3') } }));
    expect((await runs.get('r', 'nq/1'))?.retrieval).toMatchObject({
      hits: [false, true, false],
      recall: { 1: 0, 5: 1 },
      coverage: { found: 1, answers: 1 },
    });
    const cited = { supporting: [{ id: 'p4', title: '' }], iterations: [{ found: refs('p4') }] };
    await record('nq/1', result({ method: 'llatrieval', chain: cited }));
    expect((await runs.get('r', 'nq/1'))?.retrieval?.hits).toEqual([true]);
    const documents = [{ text: 'Bell, as I recall.' }];
    await record('nq/1', result({ method: 'genread', chain: { passages: refs('p1'), documents } }));
    expect((await runs.get('r', 'nq/1'))?.retrieval?.hits).toEqual([false, true]);

    const stored = (await questions())[1]?.stored ?? [];
    await record('own', result({ chain: { passages: stored } }));
    expect((await runs.get('r', 'own'))?.retrieval?.hits).toEqual([false, true]);

    // Containment says nothing of yes and no.
    await record('yes', result({ chain: { passages: refs('p1') } }));
    expect((await runs.get('r', 'yes'))?.retrieval).toBeUndefined();
  });

  it('refuses what is no question of a run', async () => {
    const { record, ports } = await begun();
    await expect(record('nobody', result())).rejects.toThrow('The run r has no question "nobody"');
    await expect(record('own', result(), null, 0)).rejects.toThrow('no question "own" at 0');
    const elsewhere = { run: 'other', id: 'nq/1', at: 0 };
    const nowhere = recordIn(ports, elsewhere, result());
    await expect(nowhere).rejects.toThrow('This worker has no run other.');
  });

  it('tells the batch what is left for the judge, and gives 0 where there is no answer', async () => {
    const cited = { method: 'llatrieval' as const, judge: 'j' };
    const { record, runs } = await begun(cited);
    expect(await record('nq/1', result())).toMatchObject({ toJudge: true });
    const unknown = await record('nq/1', result({ outcome: 'unknown', answer: null }));
    const citations = { citationRecall: 0, citationPrecision: 0, citationF1: 0 };
    const zeros = { em: 0, f1: 0, hasAnswer: 0, ...citations };
    expect(unknown.toJudge).toBeUndefined();
    expect(unknown.scores).toEqual(zeros);
    const failure = { type: 'Terminated', message: '', step: null };
    expect((await record('long', null, failure)).scores).toMatchObject({ claimRecall: 0 });
    expect((await runs.get('r', 'long'))?.judgement).toMatchObject({ usage: { calls: 0 } });

    const short = await begun({ judge: 'j' });
    expect((await short.record('nq/1', result())).toJudge).toBeUndefined();
    expect((await short.record('long', result())).toJudge).toBe(true);
    // What a method of one's own cites is known to itself alone: it is not judged, nor 0.
    const mine = defineMethod({
      name: 'mine',
      options: { answerForm: z.literal('prose').default('prose') },
      algorithm: async () => unanswered('unknown', [], null),
    });
    const own = await begun({ method: 'mine', judge: 'j' }, { methods: methodRegistry([mine]) });
    expect((await own.record('nq/1', result({ method: 'mine' }))).toJudge).toBeUndefined();
    const unasked = result({ method: 'mine', outcome: 'unknown', answer: null });
    expect((await own.record('nq/1', unasked)).scores).toEqual({ em: 0, f1: 0, hasAnswer: 0 });

    const unjudged = await begun({ method: 'llatrieval' });
    expect((await unjudged.record('long', result())).toJudge).toBeUndefined();
  });
});

describe('readQuestions', () => {
  it('gives what is to be asked, and sums up what is done', async () => {
    const { page, record } = await begun();
    const all = await page();
    expect(all.questions.map(({ id, name, question }) => ({ id, name, question }))).toEqual(
      asked.map(({ id, question }) => ({ id, name: safeFileName(id), question })),
    );
    expect(all).toMatchObject({ next: null, kept: { done: 0, scores: {} } });

    await record('nq/1', result({ answer: 'Bell' }));
    await record('own', result({ outcome: 'unknown', answer: null }));
    await record('yes', null, { type: 'Terminated', message: '', step: null });
    const rest = await page();
    expect(rest.questions.map(({ id }) => id)).toEqual(['yes', 'long']);
    expect(rest.questions).toEqual(all.questions.slice(2));
    expect(rest.kept).toEqual({
      done: 2,
      outcomes: { answered: 1, unknown: 1, unreadable: 0, failed: 0 },
      scores: {
        em: { questions: 2, sum: 1, sumOfSquares: 1 },
        f1: { questions: 2, sum: 1, sumOfSquares: 1 },
        hasAnswer: { questions: 2, sum: 1, sumOfSquares: 1 },
      },
    });
  });

  it('gives those again that the judge was not asked about', async () => {
    const { page, record, ports } = await begun({ method: 'llatrieval', judge: 'j' });
    await record('nq/1', result());
    await record('own', result());
    const at = (await page()).questions.find(({ id }) => id === 'own')?.at ?? -1;
    const statements = [{ claim: 'It rang.', cited: [0], supported: true, needed: [true] }];
    const verdicts = { statements, claims: null, flags: [], steps: {} };
    await recordJudgement({ run: 'r', id: 'own', at }, { verdicts, usage: NO_USAGE }, ports);
    const { questions, kept } = await page();
    expect(questions.map(({ id, toJudge }) => [id, toJudge])).toEqual([
      ['nq/1', true],
      ['yes', undefined],
      ['long', undefined],
    ]);
    expect(kept).toMatchObject({ done: 2, scores: { citationF1: { questions: 1, sum: 1 } } });
  });

  it('goes page by page, none too large for a history', async () => {
    const many = Array.from({ length: 700 }, (_, i) => ({ ...bell, id: `q${i}` }));
    const { open, ports } = await setUp(many);
    await open();
    const sizes: number[] = [];
    const ids: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const { questions, next } = await readQuestions({ run: 'r', from }, ports);
      sizes.push(questions.length);
      ids.push(...questions.map(({ id }) => id));
      from = next;
    }
    expect(sizes).toEqual([300, 300, 100]);
    expect(ids).toEqual(many.map(({ id }) => id));

    const long = many.slice(0, 60).map((one) => ({ ...one, question: 'x'.repeat(15_000) }));
    const large = await setUp(long);
    await large.open();
    const { questions, next } = await readQuestions({ run: 'r', from: 0 }, large.ports);
    expect(questions.length).toBeLessThan(40);
    expect(next).toBe(questions.length);
  });
});
