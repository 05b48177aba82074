/**
 * The shipped methods by name. A new method adds a line here: workflows, commands, docs and the
 * types of clients follow.
 */
export { adaptiveRag } from './methods/adaptive-rag.js';
export { allies } from './methods/allies/allies.js';
export { base } from './methods/base.js';
export { chainOfThought } from './methods/baselines/chain-of-thought.js';
export { conditionalSummaries } from './methods/baselines/conditional-summaries.js';
export { hyde } from './methods/baselines/hyde.js';
export { lamer } from './methods/baselines/lamer.js';
export { mcq } from './methods/baselines/mcq.js';
export { multiChain } from './methods/baselines/multi-chain.js';
export { noRetrieval } from './methods/baselines/no-retrieval.js';
export { rankGpt } from './methods/baselines/rank-gpt.js';
export { replug } from './methods/baselines/replug.js';
export { rerank } from './methods/baselines/rerank.js';
export { rerankPassages } from './methods/baselines/rerank-passages.js';
export { selectionInference } from './methods/baselines/selection-inference.js';
export { selfAsk } from './methods/baselines/self-ask.js';
export { selfVerification } from './methods/baselines/self-verification.js';
export { summarizeThenPredict } from './methods/baselines/summarize-then-predict.js';
export { chainOfNote } from './methods/chain-of-note.js';
export { corag } from './methods/corag.js';
export { decompose } from './methods/decompose.js';
export { genread } from './methods/genread.js';
export { ircot } from './methods/ircot.js';
export { iterRetgen } from './methods/iter-retgen.js';
export { llatrieval } from './methods/llatrieval/llatrieval.js';
export { react } from './methods/react.js';
export { rewriteRetrieveRead } from './methods/rewrite-retrieve-read.js';
export { searchO1 } from './methods/search-o1.js';
export { sure } from './methods/sure/sure.js';
export { taggedSearch } from './methods/tagged-search.js';
