import { implementStep, type ModelOutput } from '../define.js';
import { parseReading } from '../read/implementation.js';
import { wholeLines } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { takenApart } from '../reading/text.js';
import type * as declared from './step.js';

export const nextThought = implementStep<typeof declared.nextThought>({
  prompt: 'next-thought',
  maxTokens: 128,
  passages: (input) => input.passages,
  variables: ({ question, thoughts, demonstrations }) => ({
    question,
    thoughts: renderThoughts(thoughts),
    demonstrations: demonstrations.map(renderDemonstration).join('\n\n'),
  }),
  parse: parseThought,
  fallback: () => null,
  costliest: (longest) => ({ thought: longest }),
});

const LINE = /^[^\p{L}\p{N}\n]{0,6}(?<form>thought|answer) ?: ?(?<said>\S.*)$/imu;
/** "[the next sentence]": the form as the prompt shows it. */
const AS_SHOWN = /^\[[^\]]*\]$/;

/**
 * The first whole line of one of the two forms: models go on and think about passages that nobody
 * has found yet. Undefined where that line says nothing, and where there is none.
 */
export function parseThought(
  output: Pick<ModelOutput, 'text' | 'cut'>,
): declared.NextThought | undefined {
  const { form = '', said = '' } = LINE.exec(bareText(wholeLines(output)))?.groups ?? {};
  if (AS_SHOWN.test(said)) return undefined;
  if (form.toLowerCase() === 'answer') {
    const answer = parseReading(said);
    return answer === undefined ? undefined : { answer };
  }
  return /[\p{L}\p{N}]/u.test(said) ? { thought: said.trim() } : undefined;
}

/** Each thought between tags of its own, which nothing inside can close. */
function renderThoughts(thoughts: readonly string[]): string {
  return thoughts
    .map(
      (thought, i) => `<thought number="${i + 1}">\n${takenApart(thought, 'thought')}\n</thought>`,
    )
    .join('\n');
}

function renderDemonstration({
  question,
  thoughts,
  answer,
}: declared.ThoughtDemonstration): string {
  const lines = thoughts.map((thought) => `Thought: ${thought}`);
  return [`Question: ${question}`, ...lines, `Answer: ${answer}`].join('\n');
}
