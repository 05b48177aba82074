/** A background document from what the model knows (GenRead 3.1, 3.2; ALLIES 4.3, Retrieve'). */
import type { QuestionDocument } from '../core/demonstration-sets.js';
import type { Task } from '../core/task.js';
import { defineStep } from './define.js';
import { text } from './outputs/text.js';
import { tagged } from './rendering.js';

export interface GenerateDocumentInput extends DocumentPlan {
  /** The question, sub-query, claim or utterance that the document is for. */
  query: string;
  /** openQA when left out. Dialogue is asked for in the same way (GenRead B.1.2). */
  task?: Task;
  /** A short one, as ALLIES asks for (C.4); GenRead names no length (B.1.2). */
  short?: true;
}

/** Which document is generated; the field that is present tells the form. */
export interface DocumentPlan {
  /** Which sample of the same prompt, counted from 1. */
  sample?: number;
  /** Which of the human prompts, counted from 1. */
  humanPrompt?: number;
  /** The cluster, counted from 0, whose question-document pairs are shown. */
  demonstrations?: { set: string; cluster: number };
}

/** The diverse human prompts there are (GenRead table 21); the first is the one of zero-shot. */
export const HUMAN_PROMPTS = 10;

/** Empty when the output stayed unreadable. A cut document ends where it was stopped. */
export const generateDocument = defineStep<GenerateDocumentInput, string>({
  name: 'generateDocument',
  label: (input) => `${planLabel(input)}for "${input.query}"`,
  prompt: { among: prompts(), of: promptFor },
  maxTokens: 300,
  // Nucleus sampling by itself: the paper names p and no temperature (GenRead 3.2, footnote 1).
  sampling: ({ sample }) =>
    sample === undefined ? { temperature: 0 } : { temperature: 1, topP: 0.95 },
  sample: ({ sample = 0 }) => sample,
  async kept({ demonstrations, task }, { demonstrationSets }): Promise<Record<string, string>> {
    if (!demonstrations) return {};
    const pairs = await demonstrationSets.pairs(demonstrations.set, demonstrations.cluster);
    return { demonstrations: renderPairs(pairs, task) };
  },
  output: text({ form: 'the document only', label: '(?:background )?document', cut: 'stands' }),
  fallback: () => '',
});

function planLabel({ sample, humanPrompt, demonstrations }: DocumentPlan): string {
  if (sample !== undefined) return `sample ${sample} `;
  if (humanPrompt !== undefined) return `prompt ${humanPrompt} `;
  return demonstrations ? `cluster ${demonstrations.cluster + 1} ` : '';
}

function prompts(): string[] {
  const human = Array.from({ length: HUMAN_PROMPTS - 1 }, (_, i) => `generate-document-${i + 2}`);
  const names = ['generate-document', 'generate-document-for-claim'];
  const byExample = names.map((name) => `${name}-by-example`);
  return [...names, ...byExample, ...human, 'generate-short-document'];
}

function promptFor({
  task,
  humanPrompt = 1,
  demonstrations,
  short,
}: GenerateDocumentInput): string {
  if (short) return 'generate-short-document';
  const name = task === 'factChecking' ? 'generate-document-for-claim' : 'generate-document';
  if (demonstrations) return `${name}-by-example`;
  return humanPrompt === 1 ? name : `${name}-${humanPrompt}`;
}

/** Renders question-document pairs between tags that none of them can close. */
export function renderPairs(pairs: readonly QuestionDocument[], task?: Task): string {
  const label = task === 'factChecking' ? 'Statement' : 'Question';
  const texts = pairs.map(
    ({ question, document }) => `${label}: ${question}\nDocument: ${document}`,
  );
  return tagged(texts, 'example');
}
