/** Which story is told of which method's chain. Pure. */
import type { MethodName } from '../../../methods/registry.js';
import type { Section } from '../page-data.js';
import { alliesStory } from './allies.js';
import {
  ensembleStory,
  multiChainStory,
  selectionInferenceStory,
  selfAskStory,
  selfVerificationStory,
} from './baselines.js';
import { llatrievalStory } from './llatrieval.js';
import { section, type Teller } from './parts.js';
import {
  baseStory,
  chainOfNoteStory,
  chainOfThoughtStory,
  genreadStory,
  summarizeThenPredictStory,
} from './reading.js';
import { hydeStory, lamerStory, rankGptStory, rerankPassagesStory } from './searches.js';
import { conditionalSummariesStory, mcqStory, sureStory } from './sure.js';

/** Each is given the chain of its own method: the result says which that is. */
const STORIES: Record<MethodName, (chain: never, teller: Teller) => Section[]> = {
  sure: sureStory,
  base: baseStory,
  allies: alliesStory,
  chainOfNote: chainOfNoteStory,
  llatrieval: llatrievalStory,
  genread: genreadStory,
  noRetrieval: baseStory,
  chainOfThought: chainOfThoughtStory,
  mcq: mcqStory,
  summarizeThenPredict: summarizeThenPredictStory,
  conditionalSummaries: conditionalSummariesStory,
  rerank: ensembleStory,
  replug: ensembleStory,
  selectionInference: selectionInferenceStory,
  selfVerification: selfVerificationStory,
  selfAsk: selfAskStory,
  multiChain: multiChainStory,
  hyde: hydeStory,
  lamer: lamerStory,
  rankGpt: rankGptStory,
  rerankPassages: rerankPassagesStory,
};

/** What led to the answer; of a method that is not known here the chain as it is. */
export function methodStory(method: string, chain: unknown, teller: Teller): Section[] {
  if (chain === null) return [];
  const tell = Object.hasOwn(STORIES, method) ? STORIES[method as MethodName] : undefined;
  return tell
    ? tell(chain as never, teller)
    : section('Chain', [{ type: 'code', text: JSON.stringify(chain, null, 2) }]);
}
