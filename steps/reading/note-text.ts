/** One reading note: its text, and the type it states (Chain-of-Note 3.3.1). Pure. */

import type { ModelOutput } from '../define.js';
import type { NoteType, WrittenNote } from '../take-note/step.js';
import { closedText, MISSING, wholeSentences } from './cut.js';
import { bareText } from './plain.js';
import { isRefusal } from './refusal.js';

/** A whole note: without decoration, and without the tags of our own prompts. */
export function plainNotes(output: Pick<ModelOutput, 'text' | 'cut'>): string {
  return bareText(closedText(output))
    .replace(/<\/(?:note|passage)>/gi, '')
    .trim();
}

const LABEL =
  /^(?:[[(]\s*(?<bracketed>[^\])\n]{1,60})[\])]|(?:(?:type|relevance)\s*[:=]\s*)?(?<plain>(?:not |partially |partly |somewhat |directly |highly )?(?:relevant|contextual|irrelevant))(?=\s*(?:[:.,;–-]|$| note:)))[^\S\n]*/i;
const TYPE_WORDS = /^(?:type|relevance|relevant|contextual|irrelevant|or|and|not|[\s,|/:=abc])+$/i;

/** The task given back: "Relevant if the passage answers the question, Contextual if ..." */
const ECHO = /\brelevant if\b[^\n]{0,200}\bcontextual if\b/i;

/**
 * A note from what the model wrote of one passage; undefined where that says nothing, or has a
 * paragraph for each of several types. Of one that was cut only the whole sentences count.
 *
 * A type that stands before the note is taken off its text. One that only the prose states is
 * taken as well, unless it states several.
 */
export function noteFrom(written: string): WrittenNote | undefined {
  const half = written.indexOf(MISSING);
  const whole = half < 0 ? written : wholeSentences({ text: written.slice(0, half), cut: true });
  if (isRefusal(whole) || ECHO.test(whole) || labelledTypes(whole).size > 1) return undefined;
  const text = trimmed(whole);
  const { label, rest } = splitLabel(text);
  const body = /[\p{L}\p{N}]/u.test(rest) ? rest : '';
  const type = label === undefined ? null : (statedType(label) ?? letteredType(label));
  if (body !== '') return { text: body, type: type ?? statedType(body) };
  // A judgement without a word of reasons is one; the bare letter of a choice is not.
  return label !== undefined && statedType(label) ? { text: '', type } : undefined;
}

/** The types that lines begin with, as "Irrelevant: ..." does. */
function labelledTypes(text: string): Set<NoteType> {
  const types = text.split('\n').flatMap((line) => {
    const label = LABEL.exec(trimmed(line))?.groups?.plain;
    return (label === undefined ? null : statedType(label)) ?? [];
  });
  return new Set(types);
}

function splitLabel(text: string): { label?: string; rest: string } {
  const match = LABEL.exec(text);
  const label = match?.groups?.bracketed ?? match?.groups?.plain;
  if (!match || label === undefined) return { rest: text };
  const isType = match.groups?.plain !== undefined || TYPE_WORDS.test(label) || statedType(label);
  return isType ? { label, rest: trimmed(text.slice(match[0].length)) } : { rest: text };
}

function trimmed(text: string): string {
  return text
    .replace(/^[\s:;.,>–"-]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const CONTEXTUAL =
  /\bcontextual\b|\b(?:partially|partly|somewhat|indirectly|not directly|only loosely) (?:relevant|related)\b|\b(?:useful|helpful|some) context\b|\bnot (?:directly )?answer\b[^.;]{0,120}?\bbut\b/g;
const IRRELEVANT =
  /\birrelevant\b|\bunrelated\b|\b(?:not|no|nothing|without|lacks?)\b[^.;,]{0,120}?\b(?:relevan\w+|related|useful|helpful)\b/g;
const NOT_ANSWERED = /\bnot (?:\w+ ){0,2}answer\w*\b/g;
const RELEVANT = /\brelevant\b|\b(?:directly |fully )?answers (?:the|this) question\b/;

/** The one type that a text states; null when it states none, or several. */
export function statedType(text: string): NoteType | null {
  const lower = text
    .toLowerCase()
    .replace(/n['’]t\b|\bcannot\b/g, ' not')
    .replace(/\bnot (?:\w+ly )?(?:irrelevant|unrelated)\b/g, ' ');
  const contextual = lower.replace(CONTEXTUAL, ' ');
  const irrelevant = contextual.replace(IRRELEVANT, ' ');
  const types: NoteType[] = [];
  if (contextual !== lower) types.push('contextual');
  if (irrelevant !== contextual) types.push('irrelevant');
  if (RELEVANT.test(irrelevant.replace(NOT_ANSWERED, ' '))) types.push('relevant');
  return types.length === 1 ? (types[0] ?? null) : null;
}

/** The paper's letters: (a) answers, (b) context, (c) irrelevant. */
function letteredType(label: string): NoteType | null {
  const letter = /^(?:type\s*)?([abc])$/i.exec(label.trim())?.[1]?.toLowerCase();
  const types = { a: 'relevant', b: 'contextual', c: 'irrelevant' } as const;
  return letter === undefined ? null : types[letter as keyof typeof types];
}
