/** Questions of the baselines, and the paths that all methods share, which base stands for. */

import { Failure } from '../../../core/failure.js';
import { sampleSeed } from '../../../core/sampler.js';
import { RerankCache } from '../../../llm/rerank-cache.js';
import type { Reranker } from '../../../llm/reranker.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { ScriptedReply } from '../../../testing/scripted-model.js';
import { fixedCorpora } from '../ports.js';
import { says } from '../run-scripted.js';
import { failingSearches, inProcess } from '../searches.js';
import { telephoneScript } from '../telephone.js';
import { answered, type Questions } from './recording.js';

const candidates = says('generateCandidates', '(a) Bell, (b) Gray');
/** A cross-encoder that prefers what comes later. */
const crossEncoder = () => {
  const reranker: Reranker = {
    provider: 'scripted',
    model: 'scripted-reranker',
    score: async (_, documents) => ({
      scores: documents.map((_, i) => i),
      costUsd: 0,
      usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 0 },
    }),
  };
  return { reranker: new RerankCache(reranker, new MemoryStore()) };
};
const nothingFound = () => ({ corpora: fixedCorpora([]) });

const failing = () => ({ corpora: failingSearches(1).corpora });

/** Each way a question of any method can come in, and go out. */
const shared: Questions = {
  base: answered('base', {}, says('read', 'Bell')),
  'base-from-memory': answered('base', { passages: 0 }, says('read', 'Bell')),
  'base-cited': answered('base', { answerForm: 'prose' }, [
    ...says('answerWithCitations', 'It was Bell [1][99].'),
  ]),
  'base-dense': answered('base', { passages: 2 }, says('read', 'Bell'), {
    input: { retrieval: { mode: 'dense' } },
  }),
  'base-own-passages': answered('base', {}, says('read', 'Bell'), {
    input: { retrieval: { passages: [{ title: 'Telephone', text: 'It was Bell.' }] } },
  }),
  'base-nothing-found': answered('base', {}, says('read', 'Bell'), { changes: nothingFound }),
  'base-unreadable': answered('base', {}, says('read', '', '', ''), { outcome: 'unreadable' }),
  'base-local': answered('base', {}, says('read', 'Bell'), { changes: () => ({ inProcess }) }),
  'base-local-in-vain': answered('base', {}, says('read', 'Bell'), {
    changes: () => ({ inProcess, ...failing() }),
  }),
  // Without a corpus of that name the question fails before its first step.
  'base-refused': answered('base', {}, [], {
    input: { retrieval: { corpus: 'none' } },
    outcome: 'failed',
  }),
  'base-without-search-attributes': answered('base', {}, says('read', 'Bell'), {
    changes: () => ({ searchAttributes: false }),
  }),
};

const reading: Questions = {
  'no-retrieval': answered('noRetrieval', {}, says('read', 'Bell')),
  'chain-of-thought': answered('chainOfThought', {}, says('reason', 'So.\nAnswer: Bell')),
  'chain-of-thought-from-memory': answered('chainOfThought', { passages: 0 }, [
    ...says('reason', 'So.\nAnswer: Bell'),
  ]),
  mcq: answered('mcq', {}, [...candidates, ...says('choose', '(b)')]),
  'mcq-one-candidate': answered('mcq', {}, says('generateCandidates', '(a) Bell')),
  'summarize-then-predict': answered('summarizeThenPredict', {}, [
    ...says('summarizeGeneric', 'Bell was granted it. [DONE]'),
    ...says('readSummaries', 'Bell'),
  ]),
  'summarize-then-predict-nothing-found': answered(
    'summarizeThenPredict',
    {},
    says('read', 'Bell'),
    { changes: nothingFound },
  ),
  'conditional-summaries': answered('conditionalSummaries', {}, [
    ...candidates,
    ...says('summarize', 'Bell was granted it. [DONE]', 'Gray filed a caveat. [DONE]'),
    ...says('readSummaries', 'Bell'),
  ]),
  rerank: answered('rerank', { passages: 3 }, says('readPassage', 'Gray', 'Bell', 'Bell')),
  'rerank-by-the-model': answered('rerank', { passages: 2, aggregate: 'model' }, [
    ...says('readPassage', 'Gray', 'Bell'),
    ...says('choose', '(a)'),
  ]),
  replug: answered('replug', { passages: 2, weights: 'retrieval' }, [
    ...says('readPassage', 'Bell', 'Bell'),
  ]),
  'replug-by-embedding': answered('replug', { passages: 2 }, says('readPassage', 'Bell', 'Bell')),
  'replug-nothing-found': answered('replug', {}, says('readPassage', 'Bell'), {
    changes: nothingFound,
  }),
};

const reasoning: Questions = {
  'selection-inference': answered('selectionInference', { passages: 3 }, [
    ...says('rankPassages', '[3] > [1]'),
    ...says('infer', 'INSUFFICIENT', 'Bell'),
  ]),
  'selection-inference-to-the-end': answered('selectionInference', { passages: 2 }, [
    ...says('rankPassages', '[2] > [1]'),
    ...says('infer', 'INSUFFICIENT'),
    ...says('read', 'Bell'),
  ]),
  'self-verification': answered('selfVerification', { passages: 2, samples: 3 }, [
    ...['Gray', 'Bell', 'Bell'].map(
      (answer, at): ScriptedReply => ({
        step: 'reason',
        say: `So.\nAnswer: ${answer}`,
        seed: sampleSeed(0, at),
      }),
    ),
    ...says('nameConditions', 'first patent\nTelephone'),
    ...says('recoverCondition', 'a caveat', 'a horn', 'first patent', 'telephone'),
  ]),
  'self-verification-one-candidate': answered('selfVerification', { passages: 0, samples: 2 }, [
    ...says('reason', 'So.\nAnswer: Bell', 'So.\nAnswer: Bell'),
  ]),
  'self-ask': answered('selfAsk', { passages: 2 }, [
    ...says('followUp', 'Follow up: Who filed first?'),
    ...says('read', 'Bell'),
    ...says('followUp', 'So the final answer is: Bell'),
  ]),
  'self-ask-from-memory': answered('selfAsk', { passages: 0 }, [
    ...says('selfAsk', 'Follow up: Who?\nIntermediate answer: B.\nSo the final answer is: Bell'),
  ]),
  'multi-chain': answered('multiChain', { chains: 2, passages: 2 }, [
    ...says('followUp', 'Follow up: Who filed first?', 'Follow up: Who filed first?'),
    ...says('read', 'Bell'),
    ...says('followUp', 'So the final answer is: Bell', 'So the final answer is: Bell'),
    ...says('metaReason', 'Both say so.\nAnswer: Bell'),
  ]),
};

const retrieval: Questions = {
  hyde: answered('hyde', { passages: 2 }, [
    ...says('hypotheticalPassage', 'Bell was granted it.'),
    ...says('read', 'Bell'),
  ]),
  lamer: answered('lamer', { queries: 2 }, [
    ...says('hypotheticalPassage', 'Bell was granted it.', 'Gray filed a caveat.'),
    ...says('read', 'Bell'),
  ]),
  'lamer-sub-questions': answered('lamer', { queries: 2, queryStyle: 'question' }, [
    ...says('askSubQueries', '1. Who filed first?\n2. When was it?'),
    ...says('read', 'Bell'),
  ]),
  'rank-gpt': answered('rankGpt', { candidates: 4, passages: 2, window: 3, stride: 1 }, [
    ...says('rankPassages', '[2] > [1]', '[3] > [1]'),
    ...says('read', 'Bell'),
  ]),
  'rerank-passages': answered(
    'rerankPassages',
    {
      candidates: 4,
      passages: 1,
      by: 'embedding',
      compare: ['retrieval', 'genericSummary', 'model', 'sureSummary'],
    },
    [
      ...says('summarizeGeneric', 'Bell was granted it. [DONE]'),
      ...says('rankPassages', '[2] > [4]'),
      ...telephoneScript(),
      ...says('read', 'Bell'),
    ],
  ),
  'rerank-passages-cross-encoder': answered(
    'rerankPassages',
    { candidates: 4, passages: 1, by: 'crossEncoder' },
    says('read', 'Bell'),
    { changes: crossEncoder },
  ),
  'rerank-passages-failed': answered(
    'rerankPassages',
    { candidates: 4, passages: 1, by: 'genericSummary' },
    [{ step: 'summarizeGeneric', say: new Failure('ContentRefused', 'No.') }],
    { outcome: 'failed' },
  ),
};

export const baselineQuestions = { ...shared, ...reading, ...reasoning, ...retrieval };
