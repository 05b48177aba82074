/** A background document from what the model knows (GenRead 3.1, 3.2; ALLIES 4.3, Retrieve'). */

import type { Task } from '../../methods/task.js';
import { declareStep } from '../define.js';

export interface GenerateDocumentInput extends DocumentPlan {
  /** The question, sub-query, claim or utterance that the document is to help with. */
  query: string;
  /** openQA when left out. Dialogue is asked for in the same way (GenRead B.1.2). */
  task?: Task;
  /** A short one, as ALLIES asks for (C.4); GenRead names no length (B.1.2). */
  short?: true;
}

/** Empty when the output stayed unreadable. At the token limit it ends where it was stopped. */
export const generateDocument = declareStep<GenerateDocumentInput, string>(
  (input) => `${documentForm(input)}for "${input.query}"`,
);

/** Which of several documents. */
function documentForm({ sample, humanPrompt, demonstrations }: DocumentPlan): string {
  if (sample !== undefined) return `sample ${sample} `;
  if (humanPrompt !== undefined) return `prompt ${humanPrompt} `;
  return demonstrations ? `cluster ${demonstrations.cluster + 1} ` : '';
}

/** The diverse human prompts there are (GenRead table 21); the first is the one of zero-shot. */
export const HUMAN_PROMPTS = 10;

/** How one document is generated; which of the forms is told by the field that is there. */
export interface DocumentPlan {
  /** Which sample of the same prompt, counted from 1. */
  sample?: number;
  /** Which of the human prompts, counted from 1. */
  humanPrompt?: number;
  /** The cluster, counted from 0, whose question-document pairs are shown. */
  demonstrations?: { set: string; cluster: number };
}
