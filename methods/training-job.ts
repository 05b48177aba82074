/** Chain-of-Note's training data: what the job is started with and what it gives. Pure. */
import { z } from 'zod';
import type { ChainOfNoteChain } from './chain-of-note.js';
import { Failure } from './failure.js';
import { commonInput, describeIssues } from './input.js';
import type { MethodResult, QuestionFailure } from './result.js';
import { unknownSteps } from './step-models.js';
import type { Usage } from './usage.js';

const trainingInput = commonInput
  .pick({ models: true, prompts: true, seed: true, cache: true, limits: true, labels: true })
  .extend({
    dataset: z
      .string()
      .min(1)
      .describe('file of questions, as the workers see it; see docs/datasets.md'),
    out: z.string().min(1).describe('folder for everything written, as the workers see it'),
    sample: z
      .int()
      .min(1)
      .optional()
      .describe('questions chosen at random (Chain-of-Note 3.3.2: 10,000); all when left out'),
    passages: z
      .int()
      .min(1)
      .max(50)
      .default(5)
      .describe('k, passages a question (Chain-of-Note A.3: 5)'),
    corpus: z
      .string()
      .min(1)
      .default('sample')
      .describe('index to search for the questions that bring no passages'),
    window: z.int().min(1).max(300).default(20).describe('questions under way at a time'),
  });

/** Input with every default filled in. */
export type TrainingJob = z.output<typeof trainingInput>;

/**
 * What a caller passes.
 *
 * @example { dataset: '/data/nq-train.jsonl.gz', out: '/data/notes', sample: 10_000 }
 */
export type TrainingInput = z.input<typeof trainingInput>;

/** @throws Failure BadInput naming every field that is wrong. */
export function parseTrainingInput(input: unknown): TrainingJob {
  const parsed = trainingInput.safeParse(input);
  const problems = parsed.success
    ? unknownSteps(parsed.data.models, ['takeNotes', 'answerFromNotes'])
    : describeIssues(parsed.error, trainingInput);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new Failure('BadInput', `Bad input. ${problems.join('; ')}`);
}

/** What is kept of a question once it has ended: its result, or why there is none. */
export interface KeptQuestion {
  id: string;
  result?: MethodResult<ChainOfNoteChain>;
  failure?: QuestionFailure;
}

export interface TrainingProgress {
  /** 0 until the data set has been read. */
  questions: number;
  /** Ended, now or in an earlier start, the failed ones included. */
  done: number;
  failed: number;
  running: number;
}

/** What the job has made, counted from what lies in the folder. */
export interface TrainingSummary {
  questions: number;
  /** Lines in the exported files, those with the answer "unknown" included. */
  examples: number;
  unknown: number;
  /** Left out of the export: passages without a note, or without a word in it. */
  incomplete: number;
  /** Left out: the model's output could not be read. */
  unreadable: number;
  /** Left out: something stopped the question. Starting the job again asks them again. */
  failed: number;
  usage: Usage;
  /** Chat lines for fine-tuning, and the same with what the loss is computed on. */
  files: { chat: string; weighted: string };
}
