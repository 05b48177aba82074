/** A model that answers every step about the telephone in the same way, behind an HTTP server. */
import type { ChatRequest } from './model-server.js';
import { type ScriptedStep, stepOf } from './scripted-model.js';

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
  }
}
