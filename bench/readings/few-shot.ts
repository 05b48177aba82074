/** SuRe's candidates with examples shown: how many a prompt gets from the model (SuRe B.5). */
import path from 'node:path';
import type { Demonstration } from '../../core/vocabulary.js';
import { readDataset } from '../../evaluation/dataset/read-dataset.js';
import { takeSubset } from '../../evaluation/dataset/subset.js';
import { shortAnswerRecall } from '../../evaluation/metrics/short-answer-recall.js';
import { type AskingOptions, createAsking } from './asking.js';
import { readTurns, search } from './questions.js';

const QUESTIONS = 20;
const EXAMPLES = 5;
const PASSAGES = 2;
/** K. */
const COUNT = 2;

/** What is compared, by its folder of prompts. */
const FORMS = { 'bare-examples': 'examples alone', default: 'examples announced' };

/** A table with the candidates found for the same questions by each form, in Markdown. */
export async function candidatesFound(data: string, options: AskingOptions): Promise<string> {
  const turns = await readTurns(data, QUESTIONS);
  const demonstrations = await firstExamples(data);
  const forms = await Promise.all(
    Object.entries(FORMS).map(async ([prompts, name]) => {
      const { stepsOf } = await createAsking({ ...options, prompts });
      return { name, stepsOf, found: [] as string[][], right: 0 };
    }),
  );
  for (const { question: shown } of turns) {
    const { question } = shown;
    const passages = await search(shown, question, PASSAGES);
    for (const form of forms) {
      const named = { question, passages, count: COUNT, demonstrations };
      const candidates = await form.stepsOf(shown.id).generateCandidates(named);
      form.found.push(candidates);
      const { recall } = shortAnswerRecall(candidates.join('\n'), [shown.answers]);
      form.right += recall;
    }
  }
  const rows = forms.map(({ name, found, right }) => {
    const times = [2, 1, 0].map((many) => found.filter(({ length }) => length === many).length);
    const mean = found.flat().length / found.length;
    return `| ${[name, found.length, ...times, mean.toFixed(2), right].join(' | ')} |`;
  });
  return [
    '| prompt | questions | two candidates | one | none | candidates a question | with a right one |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}

/** Training questions of WebQuestions, with the first of their answers. */
async function firstExamples(data: string): Promise<Demonstration[]> {
  const examples: Demonstration[] = [];
  const file = path.join(data, 'train', 'webq.jsonl.gz');
  const first = takeSubset(() => readDataset(file), { limit: EXAMPLES });
  for await (const { question, answers } of first) {
    examples.push({ question, answer: answers[0] ?? '' });
  }
  return examples;
}
