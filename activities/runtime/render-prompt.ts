/** The prompt of a step, with the texts of its passages; knows nothing of activities. */
import type { Passage } from '../../methods/vocabulary.js';
import type { StepCall } from '../../steps/call.js';
import { type ModelStep, promptOf } from '../../steps/define.js';
import { renderPassages } from '../../steps/rendering/passages.js';
import type { Ports } from './ports.js';
import { searching } from './searching.js';
import { fillTemplate } from './template.js';

/** The frame of the passages in every prompt that shows any. */
export const PASSAGES_PROMPT = 'passages';

/** What a prompt is rendered from. */
export type PromptPorts = Pick<Ports, 'corpora' | 'demonstrationSets' | 'passages' | 'prompts'>;

/** The same for one whose passages are at hand. */
export type FillPorts = Pick<Ports, 'prompts'> & {
  demonstrationSets: Pick<Ports['demonstrationSets'], 'pairs'>;
};

/** The prompt of a step for an input, and the hash of what it is made from. */
export async function renderPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: Pick<StepCall, 'prompts' | 'corpus' | 'attempt'>,
  ports: PromptPorts,
): Promise<{ content: string; hash: string }> {
  const shown = step.passages && (await shownPassages(step.passages(input), call.corpus, ports));
  return fillPrompt(step, input, call, shown, ports);
}

/** @param shown The passages of a step that shows any. */
export async function fillPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  { prompts, attempt }: Pick<StepCall, 'prompts' | 'attempt'>,
  shown: readonly Passage[] | undefined,
  ports: FillPorts,
): Promise<{ content: string; hash: string }> {
  const template = await ports.prompts.load(prompts, promptOf(step, input));
  const variables = { ...step.variables(input), ...(await step.kept?.(input, ports)) };
  if (!shown) return { content: fillTemplate(template, variables, attempt), hash: template.hash };
  const frame = await ports.prompts.load(prompts, PASSAGES_PROMPT);
  const passages =
    shown.length === 0 ? '' : fillTemplate(frame, { passages: renderPassages(shown) }, 0);
  return {
    content: fillTemplate(template, { ...variables, passages }, attempt),
    hash: `${frame.hash}+${template.hash}`,
  };
}

/** Passages as they are shown: those given by id with their texts, the others as they are. */
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

/** The texts of passages; from those that came with the question when there is no corpus. */
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
