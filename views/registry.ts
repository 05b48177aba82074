/** How the chain of each method is told. Pure. */
import type { MethodResult } from '../methods/result.js';
import { alliesView } from './allies.js';
import { baseView } from './base.js';
import { conditionalSummariesView, mcqView, selfVerificationView } from './baselines/candidates.js';
import { multiChainView, selfAskView } from './baselines/follow-ups.js';
import {
  chainOfThoughtView,
  ensembleView,
  selectionInferenceView,
  summarizeThenPredictView,
} from './baselines/readers.js';
import { hydeView, lamerView, rankGptView, rerankPassagesView } from './baselines/searches.js';
import { chainOfNoteView } from './chain-of-note.js';
import { defaultView } from './default.js';
import { genreadView } from './genread.js';
import { ircotView } from './ircot.js';
import { iterRetgenView } from './iter-retgen.js';
import { llatrievalView } from './llatrieval.js';
import { note, section } from './parts.js';
import type { Section } from './section.js';
import { sureView } from './sure.js';
import type { View, ViewContext, Views } from './view.js';

/** A method without a view is told by its passages, its texts and its fields. */
export const views: Views = {
  sure: sureView,
  base: baseView,
  allies: alliesView,
  chainOfNote: chainOfNoteView,
  llatrieval: llatrievalView,
  genread: genreadView,
  ircot: ircotView,
  iterRetgen: iterRetgenView,
  noRetrieval: baseView,
  chainOfThought: chainOfThoughtView,
  mcq: mcqView,
  summarizeThenPredict: summarizeThenPredictView,
  conditionalSummaries: conditionalSummariesView,
  rerank: ensembleView,
  replug: ensembleView,
  selectionInference: selectionInferenceView,
  selfVerification: selfVerificationView,
  selfAsk: selfAskView,
  multiChain: multiChainView,
  hyde: hydeView,
  lamer: lamerView,
  rankGpt: rankGptView,
  rerankPassages: rerankPassagesView,
};

/**
 * What led to an answer; nothing where a result has no chain. A view that cannot read the chain, as
 * one that another version wrote, is told of, and the default stands in.
 *
 * @param own views of methods of one's own; they go before those here.
 */
export function sectionsOf(
  { method, chain, answer, evidence }: Pick<MethodResult, 'method' | 'chain'> & ViewContext,
  own: Views = {},
): Section[] {
  if (chain === null) return [];
  const context = { answer, evidence };
  const view = viewOf(method, own) ?? viewOf(method, views);
  if (!view) return defaultView(chain, context);
  try {
    return view(chain as never, context);
  } catch (error) {
    const words = `The view of ${method} cannot show this chain: ${error}`;
    return [...section('View', note(words)), ...defaultView(chain, context)];
  }
}

function viewOf(method: string, from: Views): View | undefined {
  return Object.hasOwn(from, method) ? from[method] : undefined;
}
