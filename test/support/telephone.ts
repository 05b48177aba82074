/** A model that answers every step about the telephone in the same way, behind an HTTP server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatRequest } from './model-server.js';
import { type Line, type ScriptedStep, stepOf } from './scripted-model.js';

export const QUESTION = 'Who got the first patent for the telephone?';

/** What is asked, as one text. */
export function promptOf({ messages }: ChatRequest): string {
  return messages.map(({ content }) => content).join('\n');
}

/** Bell is valid and wins both votes: SuRe answers "Bell" after seven calls. */
export function telephoneReply(prompt: string): { step: ScriptedStep; text: string } {
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
    default:
      throw new Error(`Nothing is said about the telephone at the step ${step}.`);
  }
}

/** The same as a script for the scripted model. */
export function telephoneScript(summaryLength = 0): Line[] {
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
