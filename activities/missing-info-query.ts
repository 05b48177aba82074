/** LLatrieval's missing-info query: asks for what the documents lack (LLatrieval 3.2, eq. 6). */
import { defineStep } from './step.js';

export interface MissingInfoQueryInput {
  question: string;
  /** Ids of the supporting documents, in order. */
  passages: string[];
  /** A question (table 13), or a pseudo passage that is near to the wanted ones (table 12). */
  style: 'question' | 'passage';
}

/** Null when the output stayed unreadable. */
export const missingInfoQuery = defineStep<MissingInfoQueryInput, string | null>({
  prompt: ({ style }) => `missing-info-${style}`,
  maxTokens: 256,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: ({ text }, { style }) =>
    style === 'question' ? parseNewQuestion(text) : parseNewPassage(text),
  fallback: () => null,
});

const PREAMBLE =
  /^(?:(?:sure|certainly|of course|okay)[^\n]{0,80}?[:!.]\s+)?(?:(?:here(?: is|'s|’s)|below is|the following)[^\n:]{0,80}:\s*)?(?:\(?(?:(?:a|the|my) )?(?:(?:new|missing|follow-up|correct|hypothetical) ){0,2}(?:info(?:rmation)? |answering )?(?:question|query|passages?|answer)(?: is)?\)?\s*(?:\d+\s*)?:\s*)?/i;

/** The passage on one line, without preamble, labels and quotes; undefined when it says nothing. */
export function parseNewPassage(text: string): string | undefined {
  const passage = bare(text).replace(/\s+/g, ' ');
  return /[\p{L}\p{N}]/u.test(passage) ? passage : undefined;
}

/** The first line that asks something, else the first that says something. */
export function parseNewQuestion(text: string): string | undefined {
  const lines = bare(text)
    .split('\n')
    .map((line) => bare(line.replace(/^\s*(?:\d{1,2}[.)]|[-•>])\s+/, '')).replace(/\s+/g, ' '))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.find((line) => /[?？؟]$/.test(line)) ?? lines[0];
}

function bare(text: string): string {
  const plain = text
    .replace(/\*\*|__|`|<\/?passage[^>]*>/gi, '')
    .trim()
    .replace(PREAMBLE, '')
    .trim();
  return /^["“«'].*["”»']$/s.test(plain) ? plain.slice(1, -1).trim() : plain;
}
