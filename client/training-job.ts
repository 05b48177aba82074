/** Chain-of-Note's training data from a program: starting the job, joining it, stopping it. */
import type { Client } from '@temporalio/client';
import {
  parseTrainingInput,
  type TrainingInput,
  type TrainingProgress,
  type TrainingSummary,
} from '../methods/training-job.js';
import { type JobHandle, startJob } from './job.js';

export type TrainingHandle = JobHandle<TrainingSummary, TrainingProgress>;

/**
 * Starts the job, or joins it where it is under way. Where it has ended it goes on with what has
 * no result yet.
 *
 * @param workflowId made of everything in the input when left out.
 * @throws Failure BadInput before anything is started, naming the field that is wrong.
 */
export async function startTraining(
  client: Client,
  taskQueue: string,
  input: TrainingInput,
  workflowId?: string,
): Promise<TrainingHandle> {
  const { dataset, out } = parseTrainingInput(input);
  return startJob(client, {
    workflow: 'chainOfNoteTraining',
    idPrefix: 'chain-of-note-training',
    workflowId,
    taskQueue,
    input,
    summary: `${dataset} into ${out}`,
  });
}
