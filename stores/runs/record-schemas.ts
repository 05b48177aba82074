/** What a run's records are held to where another machine has written them. */
import { z } from 'zod';
import type { AnswerKind } from '../../core/dataset-record.js';
import { NAME } from '../../core/name.js';

const KINDS = ['span', 'boolean', 'label', 'list', 'long'] as const satisfies AnswerKind[];

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);
const amount = z.number().min(0);
const time = z.iso.datetime();
const byName = <T extends z.ZodType>(value: T) => z.record(text, value);

const tokens = {
  ...{ promptTokens: amount, completionTokens: amount, costUsd: amount.nullable() },
};
const usage = z.looseObject({
  ...{ calls: count, cachedCalls: count, cachedPromptTokens: amount, ...tokens },
  ...{ standardUsd: amount.nullable().optional(), savedUsd: amount.nullable().optional() },
  knownUsd: amount.optional(),
  estimated: z.looseObject({ attempts: count, repeated: count, ...tokens }).optional(),
});
const steps = byName(
  usage.extend({
    ...{ models: texts, prompts: texts, fingerprints: texts.optional() },
    tiers: byName(count).optional(),
  }),
);
const flags = z.array(z.looseObject({ kind: text, step: text, detail: text }));
const failure = z.looseObject({ type: text, message: text, step: text.nullable() });

const result = z.looseObject({
  ...{ workflowId: text, method: text, question: text },
  outcome: z.enum(['answered', 'unknown', 'unreadable', 'failed']),
  ...{ answer: text.nullable(), confidence: z.number().optional(), evidence: texts },
  // What is in it is known to its method alone.
  chain: z.unknown(),
  ...{ usage, retrievals: count, steps, flags, failure: failure.optional() },
  build: text.optional(),
});

const verdicts = z.looseObject({
  statements: z
    .array(
      z.looseObject({
        ...{ claim: text, cited: z.array(count), supported: z.boolean() },
        needed: z.array(z.boolean()),
      }),
    )
    .nullable(),
  claims: z.array(z.looseObject({ claim: text, entailed: z.boolean() })).nullable(),
  rubrics: z
    .array(z.looseObject({ metric: text, score: z.number().nullable(), said: text }))
    .optional(),
  ...{ flags, steps },
});

export const answerRecord = z.looseObject({
  ...{ id: text, result: result.nullable(), failure: failure.optional() },
  ...{ scores: byName(z.number()), unscored: byName(text).optional() },
  retrieval: z
    .looseObject({
      ...{ hits: z.array(z.boolean()), recall: byName(z.number()) },
      coverage: z.looseObject({ found: count, answers: count }),
    })
    .optional(),
  judgement: z
    .looseObject({
      ...{ of: text.optional(), scores: byName(z.number()), usage, earlier: usage.optional() },
      verdicts: verdicts.nullable(),
    })
    .optional(),
  ...{ earlier: usage.optional(), calls: text.optional(), startedAt: time, endedAt: time },
  scoredAt: time.optional(),
});

export const questionRecord = z.looseObject({
  ...{ id: text, question: text, answers: texts, answerKind: z.enum(KINDS) },
  ...{ answerable: z.literal(false).optional(), label: text.optional() },
  ...{ answerGroups: z.array(texts).optional(), longAnswers: texts.optional() },
  ...{ claims: texts.optional(), changedAt: time.optional() },
  taken: text.optional(),
  stored: z.array(z.looseObject({ id: text, title: text, score: z.number() })).optional(),
});

/** A passage that the run names. */
export const passageRecord = z.object({ id: text, text });

const price = z.looseObject({ prompt: amount, cachedPrompt: amount, completion: amount });
const served = z.looseObject({ provider: text, model: text });

const stepModel = z.union([text, z.looseObject({ model: text.optional() })]);

export const manifestRecord = z.looseObject({
  ...{ run: text, createdAt: time, questions: count },
  input: z.looseObject({
    ...{ run: text, method: text, dataset: text, prompts: z.union([text, byName(text)]) },
    corpus: text.optional(),
    ...{
      options: byName(z.unknown()),
      models: byName(stepModel),
      seed: z.int(),
      sampleSeed: z.int(),
      cache: z.boolean(),
    },
    limits: byName(z.unknown()),
    ...{ mode: text.optional(), judge: stepModel.optional() },
    noise: z.looseObject({ ratio: z.number(), kind: text, count, depth: count }).optional(),
  }),
  dataset: z.looseObject({
    ...{ file: text, sha256: text, questions: count, selected: count, rule: text },
    kinds: byName(count),
  }),
  corpus: byName(z.unknown()).nullable(),
  noise: z.looseObject({ withoutAnswer: count, incomplete: count }).optional(),
  fork: z.looseObject({ whole: count, prompts: byName(text) }).optional(),
  metrics: z
    .array(z.looseObject({ name: text, title: text, headline: z.boolean(), version: text }))
    .optional(),
  ...{
    prompts: byName(text),
    ownSteps: byName(text).optional(),
    provider: text,
    models: byName(stepModel),
  },
  ...{ embedding: served, reranker: served.nullable(), prices: byName(price) },
  ...{ normaliser: text, versions: z.looseObject({ durableRag: text, node: text, steps: text }) },
  changes: z
    .array(z.looseObject({ at: time, answered: count, differences: texts, prompts: byName(text) }))
    .optional(),
  rescored: z
    .array(
      z.looseObject({
        ...{ at: time, differences: texts },
        kept: byName(z.looseObject({ questions: count, example: text })),
      }),
    )
    .optional(),
  stopped: z.array(z.looseObject({ startedAt: time, usage, judge: usage })).optional(),
});

/** A `Mark`. */
export const markRecord = z.looseObject({
  ...{ id: text, says: z.enum(['right', 'wrong']).nullable(), note: text, of: time, at: time },
});

/** What an archive says of itself. */
export const archiveRecord = z.object({
  ...{ format: z.literal('durable-rag-run'), version: z.number(), run: text.regex(NAME) },
  ...{ questions: count, answers: count, passages: count, missing: count },
});
