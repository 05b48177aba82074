/** All workflows, by the type name they are started with. */
import { allies as alliesAlgorithm } from './allies/allies.js';
import { base as baseAlgorithm } from './base/base.js';
import { chainOfThought as chainOfThoughtAlgorithm } from './baselines/chain-of-thought/chain-of-thought.js';
import { conditionalSummaries as conditionalSummariesAlgorithm } from './baselines/conditional-summaries/conditional-summaries.js';
import { hyde as hydeAlgorithm } from './baselines/hyde/hyde.js';
import { lamer as lamerAlgorithm } from './baselines/lamer/lamer.js';
import { mcq as mcqAlgorithm } from './baselines/mcq/mcq.js';
import { multiChain as multiChainAlgorithm } from './baselines/multi-chain/multi-chain.js';
import { noRetrieval as noRetrievalAlgorithm } from './baselines/no-retrieval/no-retrieval.js';
import { rankGpt as rankGptAlgorithm } from './baselines/rank-gpt/rank-gpt.js';
import { replug as replugAlgorithm } from './baselines/replug/replug.js';
import { rerank as rerankAlgorithm } from './baselines/rerank/rerank.js';
import { rerankPassages as rerankPassagesAlgorithm } from './baselines/rerank-passages/rerank-passages.js';
import { selectionInference as selectionInferenceAlgorithm } from './baselines/selection-inference/selection-inference.js';
import { selfAsk as selfAskAlgorithm } from './baselines/self-ask/self-ask.js';
import { selfVerification as selfVerificationAlgorithm } from './baselines/self-verification/self-verification.js';
import { summarizeThenPredict as summarizeThenPredictAlgorithm } from './baselines/summarize-then-predict/summarize-then-predict.js';
import { chainOfNote as chainOfNoteAlgorithm } from './chain-of-note/chain-of-note.js';
import { genread as genreadAlgorithm } from './genread/genread.js';
import { ircot as ircotAlgorithm } from './ircot/ircot.js';
import { iterRetgen as iterRetgenAlgorithm } from './iter-retgen/iter-retgen.js';
import { llatrieval as llatrievalAlgorithm } from './llatrieval/llatrieval.js';
import { questionWorkflow } from './question/question-workflow.js';
import { sure as sureAlgorithm } from './sure/sure.js';

export { genreadClusters } from './genread-clusters.js';
export { identifyRun } from './identify-run.js';
export { judgeAnswer } from './judge-answer.js';
export { collectBatches } from './provider-batches/collect-batches.js';
export { queueLimits } from './queue/keep-limits.js';
export { queueStores } from './queue/keep-stores.js';
export { evaluateRun } from './run/evaluate-run.js';
export { evaluateRunShard } from './run/evaluate-run-shard.js';
export { evaluateStudy } from './study/evaluate-study.js';

export const allies = questionWorkflow('allies', alliesAlgorithm);
export const base = questionWorkflow('base', baseAlgorithm);
export const chainOfNote = questionWorkflow('chainOfNote', chainOfNoteAlgorithm);
export const chainOfThought = questionWorkflow('chainOfThought', chainOfThoughtAlgorithm);
export const conditionalSummaries = questionWorkflow(
  'conditionalSummaries',
  conditionalSummariesAlgorithm,
);
export const genread = questionWorkflow('genread', genreadAlgorithm);
export const hyde = questionWorkflow('hyde', hydeAlgorithm);
export const ircot = questionWorkflow('ircot', ircotAlgorithm);
export const iterRetgen = questionWorkflow('iterRetgen', iterRetgenAlgorithm);
export const lamer = questionWorkflow('lamer', lamerAlgorithm);
export const llatrieval = questionWorkflow('llatrieval', llatrievalAlgorithm);
export const mcq = questionWorkflow('mcq', mcqAlgorithm);
export const multiChain = questionWorkflow('multiChain', multiChainAlgorithm);
export const noRetrieval = questionWorkflow('noRetrieval', noRetrievalAlgorithm);
export const rankGpt = questionWorkflow('rankGpt', rankGptAlgorithm);
export const replug = questionWorkflow('replug', replugAlgorithm);
export const rerank = questionWorkflow('rerank', rerankAlgorithm);
export const rerankPassages = questionWorkflow('rerankPassages', rerankPassagesAlgorithm);
export const selectionInference = questionWorkflow(
  'selectionInference',
  selectionInferenceAlgorithm,
);
export const selfAsk = questionWorkflow('selfAsk', selfAskAlgorithm);
export const selfVerification = questionWorkflow('selfVerification', selfVerificationAlgorithm);
export const summarizeThenPredict = questionWorkflow(
  'summarizeThenPredict',
  summarizeThenPredictAlgorithm,
);
export const sure = questionWorkflow('sure', sureAlgorithm);
