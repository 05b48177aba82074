import { answerKey } from '../../methods/answer-key.js';
import { implementStep, type ModelOutput } from '../define.js';
import { answerLine } from '../read/implementation.js';
import { bracketed } from '../reading/bracketed.js';
import { closedText } from '../reading/cut.js';
import { afterFinalLabel } from '../reading/label.js';
import { bareText } from '../reading/plain.js';
import { letter, lettered } from '../reading/text.js';
import type * as declared from './step.js';

export const choose = implementStep<typeof declared.choose>({
  prompt: 'choose',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, choices }) => ({ question, choices: lettered(choices, ' ') }),
  parse: (output, { choices }) => parseChoice(output, choices),
  fallback: () => null,
});

/** "(b)", "b)", "[b]", "b.", "option b": a letter that is meant as one, unlike the article "a". */
const MARKER =
  /^(?:[([] ?([a-z]) ?[)\]]|([a-z]) ?[).:](?!\p{L}\.)|(?:option|choice) ([a-z])(?![\p{L}\p{N}]))/iu;
const NEGATED = /\b(?:not|neither|nor|never|except|rather than|instead of)\b|n['’]t\b/i;
/** "(a) is not" denies it; "(b) Gray, not Bell" does not. */
const DENIED_NEXT = /^\W*(?:is|was)?(?:n['’]t| ?not| wrong| incorrect)\b/i;

/**
 * Reads which choice was taken, by its words or its letter. Where they disagree the words win: they
 * are what is compared with the right answer.
 *
 * @returns an answer that is none of the choices as it stands; undefined for an empty output, a
 * letter of no choice, a choice that is denied, and one that lists several letters without taking
 * one. Of an output that was cut only a letter or the words of a choice that are whole are read.
 */
export function parseChoice(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  choices: readonly string[],
): declared.Choice | undefined {
  const line = answerLine(afterFinalLabel(bareText(closedText(output))));
  if (line === undefined) return undefined;
  const whole = byWords(line, choices) ?? byLetter(/^([a-z])$/i.exec(line)?.[1], choices);
  if (whole) return whole;

  const marker = MARKER.exec(line);
  const named = new Set(
    bracketed(line, { round: true })
      .map(({ value }) => value.toLowerCase())
      .filter((value) => /^[a-z]$/.test(value)),
  );
  if (named.size > 1) return undefined;
  const rest = marker ? line.slice(marker[0].length) : line;
  const letterNamed = marker?.slice(1).find((name) => name !== undefined) ?? [...named][0];
  const denied = NEGATED.test(line) && (!marker || DENIED_NEXT.test(rest));
  const taken =
    byWords(rest, choices) ??
    (denied ? undefined : byLetter(letterNamed, choices)) ??
    (denied || output.cut ? undefined : byWords(onlyMentioned(line, choices), choices));
  if (taken) return taken;
  const mentioned = choices.some((choice) => mentions(line, choice));
  if (output.cut || letterNamed !== undefined || (denied && mentioned)) return undefined;
  return { answer: line, choice: null };
}

function byWords(
  words: string | undefined,
  choices: readonly string[],
): declared.Choice | undefined {
  if (words === undefined) return undefined;
  return at(
    choices.findIndex((choice) => answerKey(choice) === answerKey(words)),
    choices,
  );
}

function byLetter(
  name: string | undefined,
  choices: readonly string[],
): declared.Choice | undefined {
  return at(
    choices.findIndex((_, k) => letter(k) === name?.toLowerCase()),
    choices,
  );
}

function at(position: number, choices: readonly string[]): declared.Choice | undefined {
  const answer = choices[position];
  return answer === undefined ? undefined : { answer, choice: position };
}

/** The one choice whose words stand in the line. */
function onlyMentioned(line: string, choices: readonly string[]): string | undefined {
  const mentioned = choices.filter((choice) => mentions(line, choice));
  return mentioned.length === 1 ? mentioned[0] : undefined;
}

function mentions(line: string, choice: string): boolean {
  return ` ${answerKey(line)} `.includes(` ${answerKey(choice)} `);
}
