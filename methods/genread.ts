/** GenRead: options, and what led to its answer. Pure. */

import { z } from 'zod';
import { documentCount } from './document-count.js';
import type { Method } from './method.js';
import { withoutEffect } from './options/without-effect.js';
import { type Given, type PlannedCall, times } from './planned-call.js';
import type { PassageRef } from './vocabulary.js';

/** What is asked: a question, whether a claim is true, or for a reply to an utterance. */
export const TASKS = ['openQA', 'factChecking', 'dialogue'] as const;

export type Task = (typeof TASKS)[number];

/** The diverse human prompts there are (GenRead table 21); the first is the one of zero-shot. */
export const HUMAN_PROMPTS = 10;

const shape = {
  task: z
    .enum(TASKS)
    .default('openQA')
    .describe(
      'what the question is: a question, a claim to check, an utterance to reply to (GenRead 4)',
    ),
  generation: z
    .enum(['zeroShot', 'sampled', 'humanPrompts', 'clustered'])
    .default('zeroShot')
    .describe(
      'one document; several sampled at p=0.95; one for each of ten prompts; one for each cluster of a demonstration set (GenRead 3.1, 3.2, 3.2.1, 3.2.2)',
    ),
  documents: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'documents generated: 1 for zeroShot, else 10 unless given (GenRead 4.2.1: 10); clustered: at most the clusters of the set',
    ),
  passages: z
    .int()
    .min(0)
    .max(200)
    .default(0)
    .describe('passages retrieved and read along; 0 for none (GenRead 4.3.1: 10 merged)'),
  readerPrompt: z
    .int()
    .min(1)
    .max(3)
    .default(1)
    .describe('which of three reader prompts, of openQA only (GenRead B.1.3, averaged over)'),
  demonstrationSet: z
    .string()
    .min(1)
    .optional()
    .describe('name of the stored demonstration set, for clustered (GenRead 3.2.2)'),
};

const options = z
  .strictObject(shape)
  .superRefine((chosen, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const { generation, documents = 1, task, demonstrationSet } = chosen;
    if (generation === 'zeroShot' && documents > 1) {
      refuse('documents', 'zeroShot writes one document; set generation to write several');
    }
    if (generation === 'humanPrompts' && documents > HUMAN_PROMPTS) {
      refuse('documents', `there are ${HUMAN_PROMPTS} human prompts, each writes one document`);
    }
    if (generation === 'humanPrompts' && task === 'factChecking') {
      refuse('generation', 'the human prompts are for questions, not for claims');
    }
    if (generation === 'clustered' && demonstrationSet === undefined) {
      refuse('demonstrationSet', 'clustered needs the name of a stored demonstration set');
    }
    if (generation !== 'clustered' && demonstrationSet !== undefined) {
      refuse('demonstrationSet', 'is used by clustered only; set generation to clustered');
    }
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['readerPrompt'],
        when: ({ task }) => task !== 'openQA',
        because: 'the three reader prompts are of openQA',
      },
    ]),
  );

export type GenreadOptions = z.output<typeof options>;

/** "Generate rather than Retrieve: Large Language Models are Strong Context Generators". */
export const genreadMethod: Method<GenreadOptions> = {
  name: 'genread',
  title: 'GenRead: generate documents, then read them',
  source: 'GenRead (Yu et al., ICLR 2023), section 3',
  options,
  steps: ['generateDocument', 'readBackground', 'checkClaim', 'reply'],
  callsFormula: 'documents + 1: 2 for zeroShot, else 11 by default',
  calls: (chosen) => documentCount(chosen) + 1,
  plan: planGenread,
  figures:
    'EM, InstructGPT, zero-shot: NQ 28.0, TriviaQA 59.0, WebQ 24.6 (no documents: 20.9, 57.5, 18.6); accuracy FEVER 80.4, FM2 65.5; F1/R-L WoW 15.8/14.2; Recall@10 clustered: TriviaQA 82.9, WebQ 73.3, NQ 70.9',
};

/** The documents, each with as long a prompt as its kind has, and the reader of all of them. */
function planGenread(chosen: GenreadOptions, given: Given): PlannedCall[] {
  const { task, generation, passages: count, readerPrompt, demonstrationSet } = chosen;
  const { question, output } = given;
  const plans = times(documentCount(chosen), (i): DocumentPlan => {
    if (generation === 'humanPrompts') return { humanPrompt: i + 1 };
    if (generation === 'sampled') return { sample: i + 1 };
    return demonstrationSet === undefined
      ? {}
      : { demonstrations: { set: demonstrationSet, cluster: i } };
  });
  const documents = plans.map(() => output('generateDocument'));
  const background = { passages: given.passages(count), documents };
  const read: Record<Task, PlannedCall> = {
    openQA: { step: 'readBackground', input: { ...background, question, readerPrompt } },
    factChecking: { step: 'checkClaim', input: { ...background, claim: question } },
    dialogue: { step: 'reply', input: { ...background, utterance: question } },
  };
  return [
    ...plans.map((plan) => ({
      step: 'generateDocument' as const,
      input: { query: question, task, ...plan },
    })),
    ...(count === 0 ? [] : [{ step: 'retrieve' as const, input: { query: question } }]),
    read[task],
  ];
}

/** A stored demonstration set as a question uses it. */
export interface DemonstrationSetRef {
  /** Made from its content: a name can be given to another set later. */
  id: string;
  clusters: number;
}

/** How one document is generated; which of the forms is told by the field that is there. */
export interface DocumentPlan {
  /** Which sample of the same prompt, counted from 1. */
  sample?: number;
  /** Which of the human prompts, counted from 1. */
  humanPrompt?: number;
  /** The cluster, counted from 0, whose question-document pairs are shown. */
  demonstrations?: { set: string; cluster: number };
}

/** A document as the model wrote it, and what made it differ from its siblings. */
export interface GeneratedDocument {
  text: string;
  sample?: number;
  humanPrompt?: number;
  cluster?: number;
}

export interface GenreadChain {
  documents: GeneratedDocument[];
  /** Retrieved, and read before the documents. */
  passages: PassageRef[];
  /** The set that clustered took its demonstrations from, by its id. */
  demonstrationSet: string | null;
  /** The answer, verdict or reply as read; null when it could not be read. */
  reading: string | null;
}
