/** Renders the prompt of a step with the texts of its passages. Knows nothing of activities. */
import type { PromptSetPhrases } from '../../core/unknown.js';
import type { Passage } from '../../core/vocabulary.js';
import type { StepCall } from '../../steps/call.js';
import {
  asksForTurn,
  extendsTranscript,
  type ModelStep,
  outputOf,
  promptOf,
  schemaOf,
  variablesOf,
} from '../../steps/define.js';
import { shapeOf } from '../../steps/outputs/output.js';
import { renderPassages } from '../../steps/rendering.js';
import { runSearch } from './free-calls.js';
import type { Ports } from './ports.js';
import { fillTemplate } from './template.js';

/** Name of the prompt that frames the passages in every prompt that shows any. */
export const PASSAGES_PROMPT = 'passages';

/** Name of the prompt that is appended if the answer must match a JSON schema. */
export const SCHEMA_PROMPT = 'schema';

/** Names of a prompt set's word lists, one sentence a line: replies "unknown", and refusals. */
export const WORD_LISTS = ['unknown', 'refusals'] as const;

/** Returns the sentences by which a reply is recognised as no answer, from a prompt set. */
export async function setWords(set: string, prompts: Ports['prompts']): Promise<PromptSetPhrases> {
  const [unknown, refusals] = await Promise.all(
    WORD_LISTS.map(async (list) => {
      const { text } = await prompts.load(set, list);
      return text.split('\n').filter((line) => line.trim() !== '');
    }),
  );
  return { unknown, refusals };
}

/** Ports that `renderPrompt` needs. */
export type PromptPorts = Pick<
  Ports,
  'corpora' | 'demonstrationSets' | 'passages' | 'prompts' | 'transcripts'
>;

/** Ports that `fillPrompt` needs, which gets the passages with their texts. */
export type FillPorts = Pick<Ports, 'prompts' | 'transcripts'> & {
  demonstrationSets: Pick<Ports['demonstrationSets'], 'pairs'>;
};

/** A rendered prompt: the text to send, and the hash of its templates. */
export interface RenderedPrompt {
  content: string;
  /** Hashes of the templates, joined by "+". */
  hash: string;
  /**
   * Key of the transcript that the prompt ends in, which the answer continues; null if it is empty,
   * absent for steps without one.
   */
  promptEnd?: string | null;
}

/** Returns the prompt of a step for an input; reads the texts of its passages. */
export async function renderPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: Pick<StepCall, 'prompts' | 'corpus' | 'attempt'> & Partial<Pick<StepCall, 'form'>>,
  ports: PromptPorts,
): Promise<RenderedPrompt> {
  const shown = step.passages && (await shownPassages(step.passages(input), call.corpus, ports));
  return fillPrompt(step, input, call, shown, ports);
}

/**
 * Returns the prompt of a step for an input, from passages with their texts.
 *
 * @param passages Undefined for a step that shows none.
 */
export async function fillPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  { prompts, attempt, form }: FilledFor,
  passages: readonly Passage[] | undefined,
  ports: FillPorts,
): Promise<RenderedPrompt> {
  const shown = passages?.map((one) => withLength(one, step.passageLength));
  const file = await ports.prompts.load(prompts, promptOf(step, input));
  const template = { ...file, again: file.again || reminder(outputOf(step, input).form) };
  const { key, text } = await soFarOf(step, input, shown ?? [], ports);
  const variables = {
    ...variablesOf(step, input),
    ...(await step.kept?.(input, ports)),
    ...(step.transcript && { soFar: text }),
  };
  const schema = schemaOf(step, input, form);
  const line = schema && (await ports.prompts.load(prompts, SCHEMA_PROMPT));
  const asked = line ? fillTemplate(line, { form: shapeOf(schema) }, 0) : '';
  const last = line ? `\n${asked}` : '';
  const hashOf = (hash: string) => (line ? `${hash}+${line.hash}` : hash);
  if (asksForTurn(step)) {
    const content = fillTemplate(template, { ...variables, form: asked }, 0);
    return { content, hash: hashOf(template.hash), promptEnd: key };
  }
  const end = extendsTranscript(step) ? { promptEnd: key } : {};
  if (!shown) {
    const content = fillTemplate(template, variables, attempt) + last;
    return { content, hash: hashOf(template.hash), ...end };
  }
  const frame = await ports.prompts.load(prompts, PASSAGES_PROMPT);
  const chartFrame =
    shown.length === 0 ? '' : fillTemplate(frame, { passages: renderPassages(shown) }, 0);
  return {
    content: fillTemplate(template, { ...variables, passages: chartFrame }, attempt) + last,
    hash: hashOf(`${frame.hash}+${template.hash}`),
    ...end,
  };
}

type FilledFor = Pick<StepCall, 'prompts' | 'attempt'> & Partial<Pick<StepCall, 'form'>>;

/** Returns the transcript that a prompt shows, with the step's addition, and its key. */
async function soFarOf<I, O>(
  { transcript }: ModelStep<I, O>,
  input: I,
  shown: readonly Passage[],
  { transcripts }: Pick<Ports, 'transcripts'>,
): Promise<{ key: string | null; text: string }> {
  if (!transcript) return { key: null, text: '' };
  const before = transcript.of(input);
  const key = transcript.added
    ? await transcripts.add(before, transcript.added(input, shown))
    : before;
  const text = await transcripts.text(key);
  return { key, text: transcript.shown?.(text) ?? text };
}

function withLength(passage: Passage, most = Infinity): Passage {
  return passage.text.length <= most ? passage : { ...passage, text: passage.text.slice(0, most) };
}

/** Returns the reminder that is added after an unreadable output, if the prompt file has none. */
function reminder(form: string): string {
  return `\n(Your last reply could not be read. Write ${form}.)`;
}

/** Returns the passages to show; those given by id are read, others are returned unchanged. */
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

/** Returns passages by id from a corpus; if it is null, from those supplied with the question. */
export async function readPassages(
  ids: string[],
  corpus: string | null,
  { corpora, passages }: Pick<Ports, 'corpora' | 'passages'>,
): Promise<Passage[]> {
  if (ids.length === 0) return [];
  return runSearch(async () =>
    corpus === null ? passages.get(ids) : (await corpora.open(corpus)).get(ids),
  );
}
