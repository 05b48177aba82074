/** The method itself: it reads like the algorithm, and survives any crash. */
import { answered, type PassageRef, questionWorkflow, unanswered } from 'durable-rag/workflows';
import type { SecondLookOptions } from './method.js';
import { secondLook } from './step.js';

interface SecondLookChain {
  passages: PassageRef[];
  reading: string | null;
  confirmed?: boolean;
}

export const lookTwice = questionWorkflow<SecondLookOptions, SecondLookChain>(
  'lookTwice',
  async ({ question, options, step, ask }) => {
    const retrieved = await step.retrieve({ query: question, count: options.passages });
    const passages = retrieved.map(({ id }) => id);

    const reading = await step.read({ question, passages, demonstrations: [] });
    if (reading === null) {
      return unanswered('unreadable', passages, { passages: retrieved, reading });
    }
    const confirmed = await ask(secondLook, { question, answer: reading, passages });
    const chain = { passages: retrieved, reading, confirmed };
    return confirmed ? answered(reading, passages, chain) : unanswered('unknown', passages, chain);
  },
);
