/**
 * Citation and claim scores agree with ALCE's script, on the way that an answer takes in a run:
 * read from the model, recorded, read again for the judge, judged.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { judgeTaskOf } from '../../../activities/run/judge-task.js';
import type { JudgedMetric } from '../../../core/metric.js';
import { splitSentences } from '../../../core/sentences.js';
import {
  type Entails,
  judgeStatementsAndClaims,
} from '../../../evaluation/citations/judge-answer.js';
import { BUILT_IN } from '../../../evaluation/metrics/built-in.js';
import { metricRegistry } from '../../../evaluation/metrics/registry.js';
import { scoreJudged } from '../../../evaluation/score-answer.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { citedAnswer, concludeCited } from '../../../workflows/methods/cited-answer.js';
import { answerOf, questionOf } from '../../support/runs/answers.js';
import { manifestOf } from '../../support/runs/example-runs.js';
import { memoryRuns } from '../../support/stores.js';
import { differences, fixture } from './fixtures.js';

const asked = z.record(z.string(), z.union([z.literal(0), z.literal(1)]));
const citationRow = z.object({
  statements: z.array(z.string()),
  documents: z.array(z.string()),
  recall: z.number(),
  precision: z.number(),
  asked,
  output: z.string(),
  question: z.string().optional(),
});
const passage = z.object({ id: z.string(), title: z.string(), text: z.string() });

async function sampleCorpus(): Promise<Map<string, z.output<typeof passage>>> {
  const lines = (await readFile(path.resolve('samples/corpus.jsonl'), 'utf8')).trim().split('\n');
  const passages = lines.map((line) => passage.parse(JSON.parse(line)));
  return new Map(passages.map((one) => [one.id, one]));
}

/** Answers as the reference's judge did; throws for a question that one was not asked. */
function recorded(
  verdicts: z.output<typeof asked>,
  corpus: Awaited<ReturnType<typeof sampleCorpus>>,
) {
  const open = new Set(Object.keys(verdicts));
  const entails: Entails = async (claim, premise) => {
    const text = Array.isArray(premise)
      ? premise.map((id) => `Title: ${corpus.get(id)?.title}\n${corpus.get(id)?.text}`).join('\n')
      : premise.text;
    const key = createHash('sha1').update(`${text}\n\n${claim}`).digest('hex').slice(0, 12);
    const verdict = verdicts[key];
    if (verdict === undefined) throw new Error(`ALCE does not ask: ${text} => ${claim}`);
    open.delete(key);
    return verdict === 1;
  };
  return { open, entails };
}

interface Told {
  question?: string | undefined;
  output: string;
  /** What there is to cite; none for an answer that is not to cite. */
  documents?: string[];
  claims?: string[];
}

/** What a run asks its judge about an answer, from the model's output on. */
async function taskOf({ question = 'Why?', output, documents, claims }: Told) {
  const form = question === 'Why?' ? 'prose' : 'list';
  const step = { answerWithCitations: async () => output };
  // All that an answer with citations takes of a question.
  const put = { question, step, flag: () => {} } as unknown as Parameters<typeof citedAnswer>[0];
  const cited = await citedAnswer(put, documents ?? [], form, []);
  const answer = documents ? concludeCited(cited, [], {}).answer : output;
  const method = 'base';
  const options = documents ? { answerForm: form } : {};
  const manifest = manifestOf({ run: 'r', method, input: { judge: 'j', options } });
  const runs = memoryRuns();
  async function* asking() {
    yield { ...questionOf('q'), question, ...(claims && { claims }) };
  }
  await runs.begin('r', asking(), () => manifest);
  const result = { answer, chain: documents ? cited : {} };
  await runs.put('r', answerOf('q', 'answered', {}, { result }));
  return judgeTaskOf({ run: 'r', id: 'q', at: 0 }, manifest, {
    runs,
    metrics: metricRegistry(),
    methods: methodRegistry(),
  });
}

test('citation recall and precision, asking the judge exactly what ALCE asks', async () => {
  const corpus = await sampleCorpus();
  const rows = await fixture('citations', citationRow);
  // Sentences are cut by other rules, and nearly always in the same places.
  const same = rows.filter(
    ({ question, output, statements }) =>
      question !== undefined || splitSentences(output).join('\n') === statements.join('\n'),
  );
  expect(same.length / rows.length).toBeGreaterThan(0.98);
  const wrong: string[] = [];
  for (const row of same) {
    const { open, entails } = recorded(row.asked, corpus);
    const scores = await scored(row, entails);
    const { citationRecall = NaN, citationPrecision = NaN } = scores;
    wrong.push(
      ...differences(row, [citationRecall, citationPrecision], [row.recall, row.precision]),
    );
    if (open.size > 0) wrong.push(`${row.output}: not asked ${[...open].join(' ')}`);
  }
  expect(wrong).toEqual([]);
  expect(same.filter((row) => row.recall > 0 && row.precision < 1).length).toBeGreaterThan(300);
  const beyond = ({ output, documents }: (typeof same)[number]) =>
    output.includes(`[${documents.length + 1}]`);
  expect(same.filter(beyond).length).toBeGreaterThan(50);
});

test('claim recall', async () => {
  const corpus = await sampleCorpus();
  const rows = await fixture(
    'claims',
    z.object({ output: z.string(), claims: z.array(z.string()), recall: z.number(), asked }),
  );
  const wrong: string[] = [];
  for (const row of rows) {
    const { open, entails } = recorded(row.asked, corpus);
    const scores = await scored(row, entails);
    wrong.push(...differences(row, [scores.claimRecall ?? NaN], [row.recall]));
    if (open.size > 0) wrong.push(`${row.output}: not asked ${[...open].join(' ')}`);
  }
  expect(wrong).toEqual([]);
});

/** What the answer scores by what the judge is asked and says. */
async function scored(told: Told, entails: Entails) {
  const found = await judgeStatementsAndClaims(await taskOf(told), entails);
  const judged = BUILT_IN.filter(({ from }) => from === 'citations' || from === 'claims');
  return scoreJudged(judged as JudgedMetric[], { ...found, flags: [], steps: {} }).scores;
}

const whatever: Entails = async () => true;
const five = ['p1', 'p2', 'p3', 'p4', 'p5'];

test.each<[string, string, string | undefined, number, number]>([
  ['nothing is supported', 'Bell got it [1][7]. It was 1876 [2][9].', undefined, 0, 0],
  ['one of two is', 'Bell got it [1][7]. It was 1876 [2][3].', undefined, 0.5, 1],
  ['in one pair of brackets', 'Bell got it [1, 7]. It was 1876 [2-9].', undefined, 0, 0],
  ['by name', 'Bell got it [Passage 6].', undefined, 0, 0],
  ['no passage 0', 'Bell got it [0][1].', undefined, 0, 0],
  ['all that exist', 'Bell got it [1]. It was 1876 [2, 5].', undefined, 1, 1],
  ['items of a list', 'Nile [1], Congo [8], Rhine [2, 3], Elbe.', 'Which rivers?', 0.5, 1],
  ['a line an item', '- Nile [1]\n- Congo [8]', 'Which rivers?', 0.5, 1],
])(
  'what cites a passage that does not exist is not supported: %s',
  async (_, output, question, recall, precision) => {
    const told = { output, documents: five, ...(question !== undefined && { question }) };
    const scores = await scored(told, whatever);
    expect(scores).toMatchObject({ citationRecall: recall, citationPrecision: precision });
  },
);
