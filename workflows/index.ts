/** All workflows, by the type name they are started with. */
import * as algorithms from './algorithms.js';
import { questionWorkflow } from './question/question-workflow.js';

export { genreadClusters } from './genread-clusters.js';
export { identifyRun } from './identify-run.js';
export { judgeAnswer } from './judge-answer.js';
export { collectBatches } from './provider-batches/collect-batches.js';
export { queueLimits } from './queue/keep-limits.js';
export { queueStores } from './queue/keep-stores.js';
export { evaluateRun } from './run/evaluate-run.js';
export { evaluateRunShard } from './run/evaluate-run-shard.js';
export { evaluateStudy } from './study/evaluate-study.js';

export const allies = questionWorkflow('allies', algorithms.allies);
export const base = questionWorkflow('base', algorithms.base);
export const chainOfNote = questionWorkflow('chainOfNote', algorithms.chainOfNote);
export const chainOfThought = questionWorkflow('chainOfThought', algorithms.chainOfThought);
export const conditionalSummaries = questionWorkflow(
  'conditionalSummaries',
  algorithms.conditionalSummaries,
);
export const genread = questionWorkflow('genread', algorithms.genread);
export const hyde = questionWorkflow('hyde', algorithms.hyde);
export const ircot = questionWorkflow('ircot', algorithms.ircot);
export const iterRetgen = questionWorkflow('iterRetgen', algorithms.iterRetgen);
export const lamer = questionWorkflow('lamer', algorithms.lamer);
export const llatrieval = questionWorkflow('llatrieval', algorithms.llatrieval);
export const mcq = questionWorkflow('mcq', algorithms.mcq);
export const multiChain = questionWorkflow('multiChain', algorithms.multiChain);
export const noRetrieval = questionWorkflow('noRetrieval', algorithms.noRetrieval);
export const rankGpt = questionWorkflow('rankGpt', algorithms.rankGpt);
export const replug = questionWorkflow('replug', algorithms.replug);
export const rerank = questionWorkflow('rerank', algorithms.rerank);
export const rerankPassages = questionWorkflow('rerankPassages', algorithms.rerankPassages);
export const selectionInference = questionWorkflow(
  'selectionInference',
  algorithms.selectionInference,
);
export const selfAsk = questionWorkflow('selfAsk', algorithms.selfAsk);
export const selfVerification = questionWorkflow('selfVerification', algorithms.selfVerification);
export const summarizeThenPredict = questionWorkflow(
  'summarizeThenPredict',
  algorithms.summarizeThenPredict,
);
export const sure = questionWorkflow('sure', algorithms.sure);
