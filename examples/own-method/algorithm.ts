/** The method itself: it reads like the algorithm, and survives any crash. */
import {
  answered,
  type Conclusion,
  type PassageRef,
  type Question,
  unanswered,
} from 'durable-rag/steps';
import type { LookTwiceOptions } from './options.js';
import { secondLook } from './step.js';

export interface LookTwiceChain {
  passages: PassageRef[];
  reading: string | null;
  confirmed?: boolean;
}

export async function lookTwice({
  question,
  options,
  step,
  ask,
}: Question<LookTwiceOptions>): Promise<Conclusion<LookTwiceChain>> {
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);

  const reading = await step.read({ question, passages, demonstrations: [] });
  if (reading === null) return unanswered('unreadable', passages, { passages: retrieved, reading });
  const confirmed = await ask(secondLook, { question, answer: reading, passages });
  const chain = { passages: retrieved, reading, confirmed };
  return confirmed ? answered(reading, passages, chain) : unanswered('unknown', passages, chain);
}
