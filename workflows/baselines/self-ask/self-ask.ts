/** Self-ask as a workflow (ALLIES, section 5.3; Press et al., 2022). */

import { concluded } from '../../../core/result.js';
import type { Sample } from '../../../steps/samples.js';
import type { Question } from '../../algorithm.js';
import type { AlgorithmOf } from '../../define-method.js';
import { askedBefore, passagesOfChains } from './chains.js';
import type { FollowUp, SelfAskChain, SelfAskOptions, selfAskMethod } from './method.js';

/** One chain of follow-up questions; its final answer is the answer. */
export const selfAsk: AlgorithmOf<typeof selfAskMethod> = async (asked) => {
  const chain = await chainsOf(asked)();
  const evidence = passagesOfChains([chain]);
  return concluded(chain.answer, evidence, chain);
};

/** Gives the function that makes a chain for the question; its chains share what they look up. */
export function chainsOf({ question, options, step }: Question<SelfAskOptions>) {
  const { passages: count, maxFollowUps } = options;
  const found = new Map<string, Promise<FollowUp>>();
  return count === 0 ? writeChain : askChain;

  /** Asks and looks up by turns. A follow-up that repeats one, or cannot be read, ends the asking. */
  async function askChain(sample?: Sample): Promise<SelfAskChain> {
    const followUps: FollowUp[] = [];
    for (let last = false; ; ) {
      last ||= followUps.length === maxFollowUps;
      const history = followUps.map(({ question, answer }) => ({ question, answer }));
      const next = await step.followUp({ question, history, last, ...(sample && { sample }) });
      if (next !== null && 'answer' in next) return { followUps, answer: next.answer };
      if (last) return { followUps, answer: null };
      if (next === null || askedBefore(followUps, next.followUp)) last = true;
      else followUps.push(await lookUp(next.followUp));
    }
  }

  function lookUp(followUp: string): Promise<FollowUp> {
    const finding = found.get(followUp) ?? find(followUp);
    found.set(followUp, finding);
    return finding;
  }

  async function find(followUp: string): Promise<FollowUp> {
    const retrieved = await step.retrieve({ query: followUp, count });
    const passages = retrieved.map(({ id }) => id);
    const answer = await step.read({ question: followUp, passages, demonstrations: [] });
    return { question: followUp, passages: retrieved, answer };
  }

  /** Without retrieval one call writes all of the chain. */
  async function writeChain(sample?: Sample): Promise<SelfAskChain> {
    const written = await step.selfAsk({ question, maxFollowUps, ...(sample && { sample }) });
    const followUps = (written?.followUps ?? []).map((one) => ({ ...one, passages: [] }));
    return { followUps, answer: written?.answer ?? null };
  }
}
