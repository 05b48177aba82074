/** Writes another prompt for a step of a pipeline, which a tune tries. */
import { defineStep, type ModelStep, outputOf } from './define.js';
import { mapped } from './outputs/output.js';
import { text } from './outputs/text.js';

/** What another prompt for a step is written from: the present one and where it failed. */
export interface ProposePromptInput {
  /** The step whose prompt it is. */
  of: string;
  /** The present prompt, without what is added when the step is asked again. */
  prompt: string;
  /** Texts that the new prompt has to contain. */
  keep: readonly string[];
  /** Ids of texts, each about a question whose answer was lost at the step. */
  failures: string[];
  /** The prompts of earlier rounds with their scores; empty in the first round. */
  before: string;
  /** Distinguishes the prompts of one round, from 0. */
  number: number;
}

/** Writes one prompt; null if what came back cannot be used, twice. */
export const proposePrompt = defineStep<ProposePromptInput, string | null>({
  name: 'proposePrompt',
  label: ({ of, number }) => `${of}, ${number + 1}`,
  prompt: 'propose-prompt',
  maxTokens: ({ prompt }) => Math.ceil(mostCharacters(prompt) / CHARACTERS_OF_A_SHORT_TOKEN),
  passages: ({ failures }) => failures,
  variables: ({ keep }) => ({ keep: keep.join('\n') }),
  // Prompts of one round differ.
  sampling: () => ({ temperature: 1 }),
  sample: ({ number }) => number,
  output: (input) =>
    mapped(
      text({
        form: 'the new prompt and nothing else, with every text that it has to contain',
        label: '(?:the )?(?:new )?prompt',
        cut: 'again',
        mayRefuse: true,
      }),
      (written) => (promptProblem(written, input) === undefined ? written : undefined),
    ),
});

/** A token of code or of a rare word has about so many characters. */
const CHARACTERS_OF_A_SHORT_TOKEN = 3;

/** Room for what a longer prompt says beside what the present one does. */
const MORE_CHARACTERS = 1500;

/** Returns the length that a new prompt may have, in characters. */
export function mostCharacters(prompt: string): number {
  return 2 * prompt.length + MORE_CHARACTERS;
}

/**
 * Returns why a text cannot take the place of a prompt; undefined if it can.
 *
 * @param input The present prompt, and what the new one has to contain.
 */
export function promptProblem(
  written: string,
  { prompt, keep }: Pick<ProposePromptInput, 'keep' | 'prompt'>,
): string | undefined {
  if (written.trim() === '') return 'is empty';
  if (wordsIn(written) === wordsIn(prompt)) return 'is the present prompt';
  if (written.length > mostCharacters(prompt)) {
    return `is longer than ${mostCharacters(prompt)} characters`;
  }
  const missing = keep.filter((one) => !contains(written, one));
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  const known = marksIn(prompt);
  const unknown = marksIn(written).filter((mark) => !known.includes(mark));
  if (unknown.length > 0) return `has ${unknown.join(', ')}, which the present prompt has not`;
  const end = known.find((mark) => prompt.trimEnd().endsWith(mark));
  if (end === SO_FAR && !written.trimEnd().endsWith(end)) return `does not end in ${end}`;
  return undefined;
}

/** Stands at the end of the prompt of a step that writes on. */
const SO_FAR = '{{soFar}}';

/**
 * Returns the texts that a prompt in the place of this one has to contain: its placeholders, and of
 * what the reader of the step's output looks for what stands in it.
 *
 * @param input Of a call, on which the type of the output may depend.
 */
export function keptBy<I, O>(step: ModelStep<I, O>, prompt: string, input: I): string[] {
  const { looksFor = [] } = outputOf(step, input);
  const said = looksFor.flatMap((one) => new RegExp(one, 'iu').exec(prompt)?.[0] ?? []);
  return [...new Set([...marksIn(prompt), ...said])];
}

/** Returns the placeholders of a prompt and the marks of its sections, each once. */
function marksIn(prompt: string): string[] {
  const marks = prompt.match(/\{\{[^{}\n]*\}\}/g) ?? [];
  return [...new Set(marks.map((mark) => mark.replace(/\s+/g, '')))];
}

function contains(written: string, wanted: string): boolean {
  if (wanted.startsWith('{{')) return marksIn(written).includes(wanted);
  return written.toLowerCase().includes(wanted.toLowerCase());
}

function wordsIn(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
