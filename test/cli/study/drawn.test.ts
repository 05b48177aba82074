/** Demonstrations that a study draws from a file. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStudyFile } from '../../../cli/study/study-file.js';
import { cliContext } from '../../support/cli-context.js';
import { temporaryFolder } from '../../support/folder.js';

const TRAINING = [1, 2, 3].map((n) => ({ question: `Q${n}?`, answers: [`A${n}`] }));
/** Two of them say why. */
const WHY = TRAINING.map((one, i) =>
  JSON.stringify({ ...one, why: i < 2 ? [`It is ${i + 1}.`, ' ', 'So it is.'] : [] }),
);

it('puts what is drawn in the place of the drawing, in the form of each method', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'train.jsonl'), WHY.join('\n'));
  const methods = ['sure', 'ircot', 'iterRetgen', 'llatrieval'].map((name) => {
    const thoughts = name.startsWith('i') ? ', thoughts: why' : '';
    const drawn = `{ from: train.jsonl, reader: durable-rag, count: 2, seed: 7${thoughts} }`;
    return `{ ${name}: { demonstrations: ${drawn} } }`;
  });
  const file = join(folder, 'study.yaml');
  await writeFile(file, `name: s\nmethods: [${methods.join(', ')}]\ndatasets: [c.jsonl]\n`);
  const { study } = await readStudyFile(file, cliContext());
  const shown = study.methods.map(({ of }) => of.options.demonstrations as object[]);
  expect(shown.map((one) => Object.keys(one[0] ?? {}))).toEqual([
    ['question', 'answer'],
    ['question', 'answer', 'thoughts'],
    ['question', 'answer', 'thoughts'],
    ['question', 'answer', 'passages'],
  ]);
  const questions = shown.map((one) => one.map((each) => (each as { question: string }).question));
  // Those that show no thoughts draw from all.
  expect(questions[1]).toEqual(questions[2]);
  expect(questions[0]).toEqual(questions[3]);
  expect(questions[1]?.toSorted()).toEqual(['Q1?', 'Q2?']);
  const [first] = shown[1] as { question: string; thoughts: string[] }[];
  const [, n] = /(\d)/.exec(first?.question ?? '') ?? [];
  expect(first?.thoughts).toEqual([`It is ${n}.`, 'So it is.']);
  // What is kept of the study asks the same without the file.
  expect(JSON.stringify(study.definition)).not.toContain('train.jsonl');
});
