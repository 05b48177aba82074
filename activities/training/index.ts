/** The activities of a training-data job; none of them costs anything. */
import type {
  KeptQuestion,
  TrainingInput,
  TrainingJob,
  TrainingSummary,
} from '../../methods/training-job.js';
import type { Ports } from '../ports.js';
import { type CallBounds, providerCall } from '../provider-call.js';
import { type CollectedJob, collectQuestions } from './collect-questions.js';
import { exportExamples } from './export-examples.js';
import { jobFolder } from './job-folder.js';
import { type Page, type PageInput, readJobPage } from './read-page.js';

export interface TrainingActivities {
  collectQuestions(input: TrainingInput): Promise<CollectedJob>;
  readPage(input: PageInput): Promise<Page>;
  keepResult(out: string, kept: KeptQuestion): Promise<void>;
  exportExamples(job: TrainingJob): Promise<TrainingSummary>;
}

const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 6, refusals: 1 };

export function trainingActivities(ports: Ports): TrainingActivities {
  return {
    collectQuestions: (input) =>
      providerCall(BOUNDS, (signal) => collectQuestions(input, ports, signal)),
    readPage: (input) => providerCall(BOUNDS, () => readJobPage(input)),
    keepResult: (out, kept) =>
      providerCall(BOUNDS, () => jobFolder(out).results.put(kept.id, kept)),
    exportExamples: (job) => providerCall(BOUNDS, (signal) => exportExamples(job, ports, signal)),
  };
}
