import { answerKey } from '../../methods/answer-key.js';
import { implementStep, type ModelOutput } from '../define.js';
import { answerLine } from '../read/implementation.js';
import { bracketed } from '../reading/bracketed.js';
import { MISSING } from '../reading/cut.js';
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
/** "(a) is not", "(a) Bell is wrong" deny it; "(b) Gray, not Bell" does not. */
const DENIED =
  /^[^.,;]{0,80}?(?:\b(?:is|was|are|were)(?:n['’]t| not| wrong| incorrect| false)\b|\bcannot be\b)|^\W*not\b/i;
/** The letter by itself, or at the end of a sentence that takes it: "I choose A". */
const ALONE =
  /^\(?([a-zA-Z])\)?$|\b(?:choose|pick|select|choice|option|answer)(?: is)? \(?([A-Z])\)?$/;
const REASONS = /,? (?:because|since|as|rather than|instead of|not)(?![\p{L}\p{N}])/iu;

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
  const said = answerLine(
    afterFinalLabel(bareText(output.cut ? `${output.text}${MISSING}` : output.text)),
  );
  if (said === undefined) return undefined;
  const [line = '', ...missing] = said.split(MISSING);
  if (missing.length > 0) return cutChoice(line, choices);
  const alone = ALONE.exec(line)
    ?.slice(1)
    .find((name) => name !== undefined);
  const whole = byWords(line, choices) ?? byLetter(alone, choices);
  if (whole || alone !== undefined) return whole;

  const marker = MARKER.exec(line);
  const named = new Set(
    bracketed(line, { round: true })
      .map(({ value }) => value.toLowerCase())
      .filter((value) => /^[a-z]$/.test(value)),
  );
  if (named.size > 1) return undefined;
  const rest = marker ? line.slice(marker[0].length) : line;
  const letterNamed = marker?.slice(1).find((name) => name !== undefined) ?? [...named][0];
  const denied = marker ? DENIED.test(rest) : NEGATED.test(line);
  // "Bell, not Gray", "Bell because Gray came later": the words before.
  const [before = ''] = line.split(REASONS, 1);
  const taken =
    byWords(rest, choices) ??
    (denied ? undefined : byLetter(letterNamed, choices)) ??
    (NEGATED.test(before) ? undefined : byWords(onlyMentioned(before, choices), choices));
  if (taken) return denied && marker ? undefined : taken;
  const mentioned = choices.some((choice) => mentions(line, choice));
  if (letterNamed !== undefined || (denied && mentioned)) return undefined;
  return { answer: line, choice: null };
}

/** Of a line that was cut a letter in brackets, unless what follows is not the choice's words. */
function cutChoice(line: string, choices: readonly string[]): declared.Choice | undefined {
  const marker = MARKER.exec(line);
  const taken = byLetter(marker?.[1], choices);
  const rest = line.slice(marker?.[0].length).trim().toLowerCase();
  return taken?.answer.toLowerCase().startsWith(rest) ? taken : undefined;
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
