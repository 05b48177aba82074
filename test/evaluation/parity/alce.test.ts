/** STR-EM, QAMPARI, citation and claim scores agree with ALCE's script. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type EntailmentJudge,
  judgeOver,
  judgeStatement,
} from '../../../evaluation/citations/judge.js';
import { citationScores, claimRecall, judgeClaims } from '../../../evaluation/citations/scores.js';
import { splitSentences } from '../../../evaluation/citations/sentences.js';
import { readStatement, readStatements } from '../../../evaluation/citations/statements.js';
import { listScores } from '../../../evaluation/metrics/list-answers.js';
import { shortAnswerRecall } from '../../../evaluation/metrics/short-answer-recall.js';
import { differences, fixture } from './fixtures.js';

const groups = z.array(z.array(z.string()));
const asked = z.record(z.string(), z.union([z.literal(0), z.literal(1)]));

test('STR-EM', async () => {
  const rows = await fixture(
    'short-answers',
    z.object({ output: z.string(), groups, strEm: z.number(), strHit: z.number() }),
  );
  const wrong = rows.flatMap((row) => {
    const { recall, hit } = shortAnswerRecall(row.output, row.groups);
    return differences(row, [recall, hit], [row.strEm, row.strHit]);
  });
  expect(wrong).toEqual([]);
  expect(rows.filter(({ strEm }) => strEm > 0 && strEm < 1).length).toBeGreaterThan(300);
});

test('QAMPARI', async () => {
  const rows = await fixture(
    'lists',
    z.object({ output: z.string(), groups, scores: z.array(z.number()) }),
  );
  const wrong = rows.flatMap((row) => {
    const { items, precision, recall, f1, recall5, f1At5 } = listScores(row.output, row.groups);
    return differences(row, [items, precision, recall, f1, recall5, f1At5], row.scores);
  });
  expect(wrong).toEqual([]);
  expect(rows.filter(({ scores }) => scores[2] !== scores[4]).length).toBeGreaterThan(100);
});

/** Answers as the reference's judge did; throws for a question that one was not asked. */
function recorded(verdicts: z.output<typeof asked>): { judge: EntailmentJudge; open: Set<string> } {
  const open = new Set(Object.keys(verdicts));
  return {
    open,
    judge: async (premise, claim) => {
      const key = createHash('sha1').update(`${premise}\n\n${claim}`).digest('hex').slice(0, 12);
      const verdict = verdicts[key];
      if (verdict === undefined) throw new Error(`ALCE does not ask: ${premise} => ${claim}`);
      open.delete(key);
      return verdict === 1;
    },
  };
}

const citationRow = z.object({
  statements: z.array(z.string()),
  documents: z.array(z.string()),
  recall: z.number(),
  precision: z.number(),
  asked,
  output: z.string(),
  question: z.string().optional(),
});

test('citation recall and precision, asking the judge exactly what ALCE asks', async () => {
  const corpus = z.object({ id: z.string(), title: z.string(), text: z.string() });
  const lines = await readFile(path.resolve('samples/corpus.jsonl'), 'utf8');
  const passages = new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => corpus.parse(JSON.parse(line)))
      .map((passage) => [passage.id, passage]),
  );
  const rows = await fixture('citations', citationRow);
  const wrong: string[] = [];
  for (const row of rows) {
    const documents = row.documents.flatMap((id) => passages.get(id) ?? []);
    const { judge, open } = recorded(row.asked);
    const statements = row.statements.map((text) =>
      readStatement(text, { passages: documents.length }),
    );
    const verdicts = await Promise.all(
      statements.map((statement) => judgeStatement(statement, judgeOver(documents, judge))),
    );
    const { recall, precision } = citationScores(verdicts) ?? { recall: NaN, precision: NaN };
    wrong.push(...differences(row, [recall, precision], [row.recall, row.precision]));
    if (open.size > 0) wrong.push(`${row.output}: not asked ${[...open].join(' ')}`);
  }
  expect(wrong).toEqual([]);
  expect(rows.filter((row) => row.recall > 0 && row.precision < 1).length).toBeGreaterThan(300);
});

test('lists are cut into the same statements, and sentences nearly always', async () => {
  const rows = await fixture('citations', citationRow);
  const lists = rows.filter(({ question }) => question !== undefined);
  const wrong = lists.filter(({ output, question = '', statements, documents }) => {
    const options = { passages: documents.length, listFor: question };
    const expected = statements.map((text) => readStatement(text, options));
    return JSON.stringify(readStatements(output, options)) !== JSON.stringify(expected);
  });
  expect(wrong).toEqual([]);

  const texts = rows.filter(({ question }) => question === undefined);
  const same = texts.filter(
    ({ output, statements }) => splitSentences(output).join('\n') === statements.join('\n'),
  );
  expect(same.length / texts.length).toBeGreaterThan(0.98);
});

test('claim recall', async () => {
  const rows = await fixture(
    'claims',
    z.object({ output: z.string(), claims: z.array(z.string()), recall: z.number(), asked }),
  );
  const wrong: string[] = [];
  for (const row of rows) {
    const { judge, open } = recorded(row.asked);
    const recall = claimRecall(await judgeClaims(row.output, row.claims, judge));
    wrong.push(...differences(row, [recall], [row.recall]));
    if (open.size > 0) wrong.push(`${row.output}: not asked ${[...open].join(' ')}`);
  }
  expect(wrong).toEqual([]);
});
