/**
 * A model that knows the answers of a data set and mostly says them where they stand in what it is
 * shown, by a lot drawn of the prompt: the five methods have something to be right and wrong about.
 *
 * READER_DATASET names the data set: lines of {"question", "answers"}.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { serveModel } from '../speed/mock-server.js';
import { OTHER_MODEL } from './commands.js';

const lineSchema = z.object({ question: z.string(), answers: z.array(z.string()) });
const file = process.env.READER_DATASET ?? '';
const bytes = await readFile(file);
const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
const known = new Map(
  lines
    .trim()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)))
    .map(({ question, answers }) => [question, answers]),
);

/** Of a hundred prompts with the answer in sight, how many it answers rightly; and of those without. */
const RIGHT_IN_SIGHT = 85;
const RIGHT_FROM_MEMORY = 25;
const SUB_QUESTION = 'What is told about this: ';

serveModel(replyTo);

function replyTo(prompt: string, model: string): string {
  const question = lastField(prompt, 'Question').replace(SUB_QUESTION, '');
  const answers = known.get(question) ?? [];
  const passages = [...prompt.matchAll(/<passage number="\d+">\n([\s\S]*?)\n<\/passage>/g)].map(
    ([, text = '']) => text,
  );
  const bears = (text: string) =>
    answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase()));
  const drawn = model === OTHER_MODEL ? `${model}\n${prompt}` : prompt;
  const lot = Number.parseInt(createHash('sha256').update(drawn).digest('hex').slice(0, 8), 16);
  const isRight = lot % 100 < (bears(prompt) ? RIGHT_IN_SIGHT : RIGHT_FROM_MEMORY);
  const [right = 'nobody', wrong = 'somebody else'] = [answers[0], titleOf(passages, lot)];
  const answer = isRight ? right : wrong;
  const best = passages.findIndex(bears) + 1 || 1;

  if (prompt.includes('different answers that could be the correct one')) {
    return isRight ? `(a) ${right}, (b) ${wrong}` : `(a) ${wrong}, (b) ${right}`;
  }
  if (prompt.includes('supports the given prediction')) {
    return `The sources name ${lastField(prompt, 'Prediction').replace(/^\(\w\) /, '')}. [DONE]`;
  }
  if (prompt.includes('correctly support the prediction')) {
    return bears(lastField(prompt, 'Prediction')) === lot % 100 < RIGHT_IN_SIGHT ? 'True' : 'False';
  }
  if (prompt.includes('Passage 1 or Passage 2')) {
    return bears(lastField(prompt, 'Passage 1')) ? 'Passage 1' : 'Passage 2';
  }
  if (prompt.includes('after taking notes')) {
    const notes = passages.map(
      (text, i) =>
        `Note ${i + 1} (${bears(text) ? 'relevant' : 'irrelevant'}): It is about ${titleOf([text], 0)}.`,
    );
    const isUnknown = !passages.some(bears) && lot % 3 === 0;
    return [...notes, `Answer: ${isUnknown ? 'unknown' : answer}`].join('\n');
  }
  if (prompt.includes('sub-questions that would help')) return `1. ${SUB_QUESTION}${question}`;
  if (prompt.includes('put together the factual information')) {
    return passages.some(bears) ? `It is ${right}.` : `It is said of ${wrong}.`;
  }
  if (prompt.includes('estimate how probable')) {
    return bears(lastField(prompt, 'Candidate')) ? '0.8' : '0.3';
  }
  if (prompt.includes('condense the passage below')) {
    return passages.some(bears) ? `It tells of ${right}.` : 'irrelevant';
  }
  if (prompt.includes('best support for a direct')) {
    const count = Number(/choose the (\d+) passages/.exec(prompt)?.[1]);
    const numbers = passages.map((_, i) => i + 1).filter((number) => number !== best);
    return `Selected passages: ${[best, ...numbers].slice(0, count).join(' ')}`;
  }
  if (prompt.includes('fully support a direct')) return passages.some(bears) ? '[YES]' : '[NO]';
  if (prompt.includes('write one new question')) return `${SUB_QUESTION}${question}`;
  if (prompt.includes('names the passages it rests on')) return `It was ${answer} [${best}].`;
  if (prompt.includes('background document')) return `This document is about ${answer}.`;
  return answer;
}

/** What stands behind the last "Name: " at the beginning of a line. */
function lastField(prompt: string, name: string): string {
  return [...prompt.matchAll(new RegExp(`^${name}: (.*)$`, 'gm'))].at(-1)?.[1] ?? '';
}

/** A passage's title, as the wrong answers are that a reader gives. */
function titleOf(passages: readonly string[], lot: number): string | undefined {
  const title = passages[lot % Math.max(1, passages.length)]?.split('\n')[0];
  return title?.replace('Title: ', '').slice(0, 40);
}
