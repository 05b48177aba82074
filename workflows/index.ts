/** All workflows, by the type name they are started with. */
export { allies } from './allies.js';
export { base } from './base.js';
export { chainOfThought } from './baselines/chain-of-thought.js';
export { conditionalSummaries } from './baselines/conditional-summaries.js';
export { mcq } from './baselines/mcq.js';
export { noRetrieval } from './baselines/no-retrieval.js';
export { replug } from './baselines/replug.js';
export { rerank } from './baselines/rerank.js';
export { selectionInference } from './baselines/selection-inference.js';
export { selfVerification } from './baselines/self-verification.js';
export { summarizeThenPredict } from './baselines/summarize-then-predict.js';
export { chainOfNote } from './chain-of-note.js';
export { chainOfNoteTraining } from './chain-of-note-training.js';
export { genread } from './genread.js';
export { genreadClusters } from './genread-clusters.js';
export { llatrieval } from './llatrieval.js';
export { sure } from './sure.js';
