/** Renders the prompt of a step with the texts of its passages. Knows nothing of activities. */
import type { SetWords } from '../../core/unknown.js';
import type { Passage } from '../../core/vocabulary.js';
import type { StepCall } from '../../steps/call.js';
import { type ModelStep, outputOf, promptOf, schemaOf, variablesOf } from '../../steps/define.js';
import { shapeOf } from '../../steps/outputs/output.js';
import { renderPassages } from '../../steps/rendering.js';
import type { Ports } from './ports.js';
import { searching } from './searching.js';
import { fillTemplate } from './template.js';

/** Prompt that frames the passages in every prompt that shows any. */
export const PASSAGES_PROMPT = 'passages';

/** Prompt appended to every prompt whose answer must match a JSON schema. */
export const SCHEMA_PROMPT = 'schema';

/** Word lists of a prompt set, one sentence a line: replies that say "unknown", and refusals. */
export const WORD_LISTS = ['unknown', 'refusals'] as const;

/** Returns the sentences by which a reply is recognised as no answer, from a prompt set. */
export async function setWords(set: string, prompts: Ports['prompts']): Promise<SetWords> {
  const [unknown, refusals] = await Promise.all(
    WORD_LISTS.map(async (list) => {
      const { text } = await prompts.load(set, list);
      return text.split('\n').filter((line) => line.trim() !== '');
    }),
  );
  return { unknown, refusals };
}

/** Ports that rendering a prompt needs. */
export type PromptPorts = Pick<Ports, 'corpora' | 'demonstrationSets' | 'passages' | 'prompts'>;

/** Ports that rendering needs if the passages are at hand. */
export type FillPorts = Pick<Ports, 'prompts'> & {
  demonstrationSets: Pick<Ports['demonstrationSets'], 'pairs'>;
};

/** Returns the prompt of a step for an input, and the hash of its parts. */
export async function renderPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: Pick<StepCall, 'prompts' | 'corpus' | 'attempt'> & Partial<Pick<StepCall, 'form'>>,
  ports: PromptPorts,
): Promise<{ content: string; hash: string }> {
  const shown = step.passages && (await shownPassages(step.passages(input), call.corpus, ports));
  return fillPrompt(step, input, call, shown, ports);
}

/** Returns the same from given passages. @param shown Passages of a step that shows any. */
export async function fillPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  { prompts, attempt, form }: FilledFor,
  shown: readonly Passage[] | undefined,
  ports: FillPorts,
): Promise<{ content: string; hash: string }> {
  const file = await ports.prompts.load(prompts, promptOf(step, input));
  const template = { ...file, again: file.again || reminder(outputOf(step, input).form) };
  const variables = { ...variablesOf(step, input), ...(await step.kept?.(input, ports)) };
  const schema = schemaOf(step, input, form);
  const line = schema && (await ports.prompts.load(prompts, SCHEMA_PROMPT));
  const last = line ? `\n${fillTemplate(line, { form: shapeOf(schema) }, 0)}` : '';
  const hashOf = (hash: string) => (line ? `${hash}+${line.hash}` : hash);
  if (!shown) {
    const content = fillTemplate(template, variables, attempt) + last;
    return { content, hash: hashOf(template.hash) };
  }
  const frame = await ports.prompts.load(prompts, PASSAGES_PROMPT);
  const passages =
    shown.length === 0 ? '' : fillTemplate(frame, { passages: renderPassages(shown) }, 0);
  return {
    content: fillTemplate(template, { ...variables, passages }, attempt) + last,
    hash: hashOf(`${frame.hash}+${template.hash}`),
  };
}

type FilledFor = Pick<StepCall, 'prompts' | 'attempt'> & Partial<Pick<StepCall, 'form'>>;

/** Returns the reminder that is added after an unreadable output, if the prompt file has none. */
function reminder(form: string): string {
  return `\n(Your last reply could not be read. Write ${form}.)`;
}

/** Returns the passages to show. Those given by id get their texts; others stay as they are. */
async function shownPassages(
  passages: (string | Passage)[],
  corpus: string | null,
  ports: Pick<Ports, 'corpora' | 'passages'>,
): Promise<Passage[]> {
  const ids = passages.filter((passage) => typeof passage === 'string');
  const texts = new Map((await readPassages(ids, corpus, ports)).map((text) => [text.id, text]));
  return passages.flatMap((shown) =>
    typeof shown === 'string' ? (texts.get(shown) ?? []) : shown,
  );
}

/** Reads the texts of passages: of the corpus, or without one those that came with the question. */
export async function readPassages(
  ids: string[],
  corpus: string | null,
  { corpora, passages }: Pick<Ports, 'corpora' | 'passages'>,
): Promise<Passage[]> {
  if (ids.length === 0) return [];
  return searching(async () =>
    corpus === null ? passages.get(ids) : (await corpora.open(corpus)).get(ids),
  );
}
