/** GenRead (Yu et al., ICLR 2023, section 3). */

import { z } from 'zod';
import { nonEmpty, whole } from '../../core/options/ranges.js';
import { chainPassages } from '../../core/passages-read.js';
import { answered, type Conclusion, unanswered } from '../../core/result.js';
import type { Chip } from '../../core/section.js';
import { TASKS } from '../../core/task.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  cards,
  chip,
  passageSection,
  readingSection,
  section,
  text,
} from '../../report/views/section-parts.js';
import { type DocumentPlan, HUMAN_PROMPTS } from '../../steps/genread.js';
import type { DemonstrationSetRef } from '../../steps/non-model-steps.js';
import { defineMethod } from '../define-method.js';
import { optionsOf } from './options.js';

const options = optionsOf(
  {
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
    documents: whole(0, 100)
      .optional()
      .describe(
        'documents generated: 1 for zeroShot, else 10 unless given (GenRead 4.2.1: 10); clustered: at most the clusters of the set; 0 reads passages alone, or nothing (GenRead table 1)',
      ),
    humanPrompts: z
      .array(whole(1, HUMAN_PROMPTS))
      .min(1)
      .max(HUMAN_PROMPTS)
      .optional()
      .describe('which of the ten human prompts, by number (GenRead tables 21, 22); all in order'),
    passages: whole(0, 200)
      .default(0)
      .describe('passages retrieved and read along; 0 for none (GenRead 4.3.1: 10 merged)'),
    readerPrompt: whole(1, 3)
      .default(1)
      .describe('which of three reader prompts, of openQA only (GenRead B.1.3, averaged over)'),
    demonstrationSet: nonEmpty
      .optional()
      .describe('name of the stored demonstration set, for clustered (GenRead 3.2.2)'),
  },
  {
    refused: {
      documents: ({ generation, documents, passages, task, humanPrompts }) =>
        documents !== undefined &&
        ((documents === 0 &&
          passages === 0 &&
          task === 'openQA' &&
          'nothing would be read; the method noRetrieval answers a question alone') ||
          (humanPrompts !== undefined && 'humanPrompts says how many there are') ||
          (generation === 'zeroShot' &&
            documents > 1 &&
            'zeroShot writes one document; set generation to write several') ||
          (generation === 'humanPrompts' &&
            documents > HUMAN_PROMPTS &&
            `there are ${HUMAN_PROMPTS} human prompts, each writes one document`)),
      humanPrompts: ({ generation, humanPrompts = [] }) =>
        (humanPrompts.length > 0 &&
          generation !== 'humanPrompts' &&
          'is used by humanPrompts only; set generation to humanPrompts') ||
        (new Set(humanPrompts).size < humanPrompts.length && 'names a prompt twice'),
      generation: ({ generation, task }) =>
        generation === 'humanPrompts' &&
        task === 'factChecking' &&
        'the human prompts are for questions, not for claims',
      demonstrationSet: ({ generation, demonstrationSet: set }) =>
        (generation === 'clustered' &&
          set === undefined &&
          'clustered needs the name of a stored demonstration set') ||
        (generation !== 'clustered' &&
          set !== undefined &&
          'is used by clustered only; set generation to clustered'),
    },
    unread: {
      generation: ({ documents }) => documents === 0 && 'no document is generated',
      readerPrompt: ({ task }) => task !== 'openQA' && 'the three reader prompts are of openQA',
    },
  },
);

/** Options of `genread` (GenRead, answers from generated documents), with all defaults. */
export type GenreadOptions = z.output<typeof options>;

/**
 * A document that the model wrote: its text, and the number of the sample (from 1), human prompt
 * (from 1) or cluster (from 0) that it was written with. A zero-shot document has no number.
 */
export interface GeneratedDocument {
  text: string;
  /** Number of the sample, from 1; absent unless documents were sampled. */
  sample?: number;
  /** Number of the human prompt, from 1; absent unless human prompts were used. */
  humanPrompt?: number;
  /** Number of the cluster, from 0; absent unless its demonstrations were shown. */
  cluster?: number;
}

/**
 * The chain of `genread`: the generated documents, the retrieved passages read before them, the
 * demonstration set, and the answer as read.
 */
export interface GenreadChain {
  documents: GeneratedDocument[];
  /** Passages that were retrieved and read before the documents. */
  passages: PassageRef[];
  /** Id of the demonstration set of clustered generation; null without one. */
  demonstrationSet: string | null;
  /** The answer, verdict or reply as read; null if it could not be read. */
  reading: string | null;
}

/**
 * The method `genread`: generates documents on the question, then reads the answer from them
 * ("Generate rather than Retrieve: Large Language Models are Strong Context Generators").
 */
export const genread = defineMethod({
  module: import.meta.url,
  name: 'genread',
  title: 'GenRead: generate documents, then read them',
  source: 'GenRead (Yu et al., ICLR 2023), section 3',
  options,
  passagesRead: chainPassages,
  documentsRead: ({ documents }: GenreadChain) => documents.map(({ text }) => text),
  facts: {
    texts: { documents: ({ documents }: GenreadChain) => documents.map(({ text }) => text) },
  },
  searches: ({ passages }) => passages > 0,
  view(chain: GenreadChain, context) {
    const { documents, passages, demonstrationSet, reading } = chain;
    const items = documents.map((document, i) => ({
      title: `Document ${i + 1}`,
      chips: originOf(document),
      blocks: text(document.text),
    }));
    const shown = demonstrationSet === null ? '' : `, shown examples of ${demonstrationSet}`;
    return [
      ...readingSection(reading, context),
      ...section('Generated documents', cards(items), { note: `${documents.length}${shown}` }),
      ...passageSection(passages),
    ];
  },
  figures:
    'EM, InstructGPT, zero-shot: NQ 28.0, TriviaQA 59.0, WebQ 24.6 (no documents: 20.9, 57.5, 18.6); accuracy FEVER 80.4, FM2 65.5; F1/R-L WoW 15.8/14.2; Recall@10 clustered: TriviaQA 82.9, WebQ 73.3, NQ 70.9',

  /**
   * Writes documents on the question from the model's knowledge, while searching if passages are
   * asked for. Then reads all of them together.
   */
  async algorithm(asked): Promise<Conclusion<GenreadChain>> {
    const { question, options, step, flag } = asked;
    const { task, passages: count, readerPrompt, demonstrationSet } = options;
    const set = demonstrationSet ? await step.demonstrationSet({ name: demonstrationSet }) : null;
    const plans = planDocuments(options, set);
    const [texts, retrieved] = await Promise.all([
      Promise.all(plans.map((plan) => step.generateDocument({ query: question, task, ...plan }))),
      count === 0 ? [] : step.retrieve({ query: question, count }),
    ]);

    const documents = generatedDocuments(plans, texts);
    if (documents.length < documentCount(options)) {
      flag(
        'fewerDocuments',
        'generateDocument',
        `${documents.length} of ${documentCount(options)}`,
      );
    }
    const passages = retrieved.map(({ id }) => id);
    const background = { passages, documents: documents.map(({ text }) => text) };
    const reading = await read();

    const chain = {
      documents,
      passages: retrieved,
      demonstrationSet: set?.id ?? null,
      reading,
    };
    if (reading === null) return unanswered('unreadable', passages, chain);
    // In a dialogue every reply is an answer, even "I do not know him".
    return task === 'dialogue'
      ? { outcome: 'answered', answer: reading, evidence: passages, chain }
      : answered(reading, passages, chain);

    function read(): Promise<string | null> {
      switch (task) {
        case 'openQA':
          return step.readBackground({ ...background, question, readerPrompt });
        case 'factChecking':
          return step.checkClaim({ ...background, claim: question });
        case 'dialogue':
          return step.reply({ ...background, utterance: question });
      }
    }
  },
});

/** Returns chips that show what distinguishes a document, counted from 1. */
function originOf({ sample, humanPrompt, cluster }: GeneratedDocument): Chip[] {
  return [
    ...(sample === undefined ? [] : [chip(`sample ${sample}`)]),
    ...(humanPrompt === undefined ? [] : [chip(`human prompt ${humanPrompt}`)]),
    ...(cluster === undefined ? [] : [chip(`cluster ${cluster + 1}`)]),
  ];
}

/** Default number of documents, except for zero-shot generation (GenRead 4.2.1). */
const DOCUMENTS = 10;

/**
 * Returns the number of documents to generate: `documents` if it is given, else the number of
 * chosen human prompts, else 1 for zero-shot generation and 10 otherwise.
 */
export function documentCount({
  generation,
  documents,
  humanPrompts,
}: Pick<GenreadOptions, 'documents' | 'generation' | 'humanPrompts'>): number {
  return documents ?? humanPrompts?.length ?? (generation === 'zeroShot' ? 1 : DOCUMENTS);
}

/**
 * Returns an object for each document to generate, with what its prompt needs (GenRead 3.1, 3.2):
 * `sample` or `humanPrompt`, a number from 1, or `demonstrations`, a set and its cluster (from 0).
 * The one of zero-shot generation is empty. Clustered generation has at most one for each cluster.
 * Their order decides ties and Recall@K.
 *
 * @param set Demonstration set, for clustered generation; null gives no documents.
 */
export function planDocuments(
  chosen: GenreadOptions,
  set: DemonstrationSetRef | null,
): DocumentPlan[] {
  const numbers = Array.from({ length: documentCount(chosen) }, (_, i) => i + 1);
  if (numbers.length === 0) return [];
  switch (chosen.generation) {
    case 'zeroShot':
      return [{}];
    case 'sampled':
      return numbers.map((sample) => ({ sample }));
    case 'humanPrompts':
      return (chosen.humanPrompts ?? numbers).map((humanPrompt) => ({ humanPrompt }));
    case 'clustered':
      return set === null
        ? []
        : numbers.slice(0, set.clusters).map((number) => ({
            demonstrations: { set: set.id, cluster: number - 1 },
          }));
  }
}

/** Returns the documents with the numbers of their plans; unreadable documents are left out. */
function generatedDocuments(
  plans: readonly DocumentPlan[],
  texts: readonly string[],
): GeneratedDocument[] {
  return plans.flatMap(({ demonstrations, ...plan }, i) => {
    const text = texts[i] ?? '';
    if (text === '') return [];
    return [{ text, ...plan, ...(demonstrations ? { cluster: demonstrations.cluster } : {}) }];
  });
}
