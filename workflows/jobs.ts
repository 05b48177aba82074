/** The workflows that are not methods, by their type names. */
export { genreadClusters } from './genread-clusters.js';
export { identifyRun } from './identify-run.js';
export { judgeAnswer } from './judge-answer.js';
export { collectBatches } from './provider-batches/collect-batches.js';
export { queueLimits } from './queue/keep-limits.js';
export { evaluateRun } from './run/evaluate-run.js';
export { evaluateRunShard } from './run/evaluate-run-shard.js';
export { evaluateStudy } from './study/evaluate-study.js';
export { proposePrompts } from './study/propose-prompts.js';
