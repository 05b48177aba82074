/** The step by which a model writes a new prompt for another step, which a tune tries. */
import { defineStep, type ModelStep, outputOf } from './define.js';
import { mapped } from './outputs/output.js';
import { text } from './outputs/text.js';

/**
 * The input of the step that writes a new prompt for another step: that step's name and current
 * prompt, the texts to keep in it, questions that it answered wrongly, and earlier attempts.
 */
export interface ProposePromptInput {
  /** Name of the step that uses the prompt. */
  of: string;
  /** The current prompt, without the part for asking again. */
  prompt: string;
  /** Texts that the new prompt must contain. */
  keep: readonly string[];
  /** Ids of stored texts, each about a question that the step answered wrongly. */
  failures: string[];
  /** The prompts of earlier rounds with their scores, as text; empty in the first round. */
  before: string;
  /** Number of the prompt within its round, from 0. */
  number: number;
}

/**
 * Declaration of the step that writes a new prompt for another step, which a tune then tries. Its
 * output is the text; null if the model's reply stayed unreadable, or cannot replace the current
 * prompt (`promptProblem`), for example because it lacks a placeholder.
 */
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

/** Characters in a token of code or rare words, for an upper bound of tokens. */
const CHARACTERS_OF_A_SHORT_TOKEN = 3;

/** Number of characters that a new prompt may have in addition to twice the current length. */
const MORE_CHARACTERS = 1500;

/** Returns the maximum length of a new prompt, in characters. @param prompt The current prompt. */
export function mostCharacters(prompt: string): number {
  return 2 * prompt.length + MORE_CHARACTERS;
}

/**
 * Returns why a text cannot replace the current prompt, as "lacks {{question}}"; undefined if it
 * can.
 *
 * @param input The current prompt, and the texts that the new one must contain.
 */
export function promptProblem(
  written: string,
  { prompt, keep }: Pick<ProposePromptInput, 'keep' | 'prompt'>,
): string | undefined {
  if (written.trim() === '') return 'is empty';
  if (wordsIn(written) === wordsIn(prompt)) return 'is the current prompt';
  if (written.length > mostCharacters(prompt)) {
    return `is longer than ${mostCharacters(prompt)} characters`;
  }
  const missing = keep.filter((one) => !contains(written, one));
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  const known = marksIn(prompt);
  const unknown = marksIn(written).filter((mark) => !known.includes(mark));
  if (unknown.length > 0)
    return `has ${unknown.join(', ')}, which the current prompt does not have`;
  const end = known.find((mark) => prompt.trimEnd().endsWith(mark));
  if (end === SO_FAR && !written.trimEnd().endsWith(end)) return `does not end in ${end}`;
  return undefined;
}

/** Placeholder at the end of the prompt of a step that extends a transcript. */
const SO_FAR = '{{soFar}}';

/**
 * Returns the texts that a new prompt of a step must contain: the placeholders and section marks of
 * the current one, and its words that the step's reader looks for. Each occurs once.
 *
 * @param input Input of a call, since the output type may depend on it.
 */
export function requiredTexts<I, O>(step: ModelStep<I, O>, prompt: string, input: I): string[] {
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
