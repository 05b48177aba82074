/** A model that answers SuRe's questions about inventors by the prompt alone. */
import { createHash } from 'node:crypto';
import type { ChatBody, ChatReply } from '../support/batch-book.js';
import { stepOf } from '../support/telephone.js';

/** Odd inventors made a lamp, the others a wheel; what loses differs with the number. */
export function inventorReply(body: ChatBody): ChatReply {
  const prompt = promptOf(body);
  const number = Number(/inventor number (\d+)/.exec(prompt)?.[1]);
  const right = number % 2 === 1 ? 'lamp' : 'wheel';
  switch (stepOf(prompt)) {
    case 'generateCandidates':
      return { text: `(a) ${right} ${number}, (b) boat ${number % 7}` };
    case 'summarize':
      return {
        text: prompt.includes(`Prediction: (a) ${right}`)
          ? `A ${right}, says page ${number}. [DONE]`
          : `Boat ${number % 7} is named. [DONE]`,
      };
    case 'validate':
      return { text: prompt.includes(`Prediction: ${right}`) ? 'True' : 'False' };
    case 'rankPair':
      return { text: prompt.includes(`Passage 1: A ${right}`) ? 'Passage 1' : 'Passage 2' };
    default:
      return { text: `${right} ${number}` };
  }
}

/** One request in so many, the same ones each time. */
export function isUnlucky(body: ChatBody, oneIn: number): boolean {
  const hash = createHash('sha256').update(promptOf(body)).digest('hex');
  return Number.parseInt(hash.slice(0, 8), 16) % oneIn === 0;
}

function promptOf({ messages }: ChatBody): string {
  return messages.map(({ content }) => content).join('\n');
}
