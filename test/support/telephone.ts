/** A model that answers every step about the telephone in the same way, behind an HTTP server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedReply } from '../../testing/scripted-model.js';
import type { ChatRequest } from './model-server.js';

export const QUESTION = 'Who got the first patent for the telephone?';

/** What is asked, as one text. */
export function promptOf({ messages }: ChatRequest): string {
  return messages.map(({ content }) => content).join('\n');
}

/** What tells the prompts of the steps apart for a server, which knows nothing of activities. */
const PROMPTS = {
  generateCandidates: /name \d+ different answers/,
  summarize: /you are a professional writer/,
  validate: /correctly support the prediction/,
  rankPair: /Decide which of them is the more informative/,
  read: /answer the question at the end in at most 3 words/,
  think: /write the query as <search>/,
};

type TelephoneStep = keyof typeof PROMPTS;

/** The step that a request to a server is for. */
export function stepOf(prompt: string): TelephoneStep {
  for (const [step, pattern] of Object.entries(PROMPTS)) {
    if (pattern.test(prompt)) return step as TelephoneStep;
  }
  throw new Error(`No step of a question about the telephone has this prompt: ${prompt}`);
}

/**
 * Bell is valid and wins both votes: SuRe answers "Bell" after seven calls, and `taggedSearch` in its
 * second turn.
 */
export function telephoneReply(prompt: string): { step: TelephoneStep; text: string } {
  const step = stepOf(prompt);
  switch (step) {
    case 'generateCandidates':
      return { step, text: '(a) Bell, (b) Gray' };
    case 'summarize':
      return {
        step,
        text: prompt.includes('Prediction: (a) Bell')
          ? 'Bell was granted it. [DONE]'
          : 'Gray filed a caveat. [DONE]',
      };
    case 'validate':
      return { step, text: prompt.includes('Prediction: Bell') ? 'True' : 'False' };
    case 'rankPair':
      return { step, text: prompt.includes('Passage 1: Bell was') ? 'Passage 1' : 'Passage 2' };
    case 'read':
      return { step, text: 'Bell' };
    case 'think':
      return { step, text: searched(prompt) ? '<answer>Bell</answer>' : '<search>patent</search>' };
  }
}

/** Returns whether a prompt of `taggedSearch` shows what a search found. */
export function searched(prompt: string): boolean {
  return prompt.includes('</search>\n\n<information>');
}

/** The same as a script for the scripted model. */
export function telephoneScript(summaryLength = 0): ScriptedReply[] {
  const summary = (start: string) => `${start.padEnd(summaryLength, '.')} [DONE]`;
  return [
    { step: 'generateCandidates', say: '(a) Bell, (b) Gray' },
    { step: 'summarize', when: /Prediction: \(a\) Bell/, say: summary('Bell was granted it.') },
    { step: 'summarize', when: /Prediction: \(b\) Gray/, say: summary('Gray filed a caveat.') },
    { step: 'validate', when: /Prediction: Bell/, say: 'True' },
    { step: 'validate', when: /Prediction: Gray/, say: 'False' },
    { step: 'rankPair', when: /Passage 1: Bell was/, say: 'Passage 1' },
    { step: 'rankPair', when: /Passage 1: Gray filed/, say: 'Passage 2' },
  ];
}

/** A corpus of 200 passages that all name Bell, as a file of the folder; gives its path. */
export async function writeBells(folder: string): Promise<string> {
  const file = join(folder, 'corpus.jsonl');
  const lines = Array.from({ length: 200 }, (_, k) => ({ id: `p${k}`, text: `Bell ${k}.` }));
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
