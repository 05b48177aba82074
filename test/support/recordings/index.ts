/** Everything that is recorded; see "Recorded histories" in CONTRIBUTING.md. */
import { baselineQuestions } from './baselines.js';
import { jobRecordings } from './jobs.js';
import { judgeRecordings } from './judges.js';
import { methodQuestions } from './methods.js';
import { batchingRecordings } from './provider-batches.js';
import { type Questions, runQuestion, type Scenario } from './recording.js';
import { runRecordings } from './runs.js';
import { studyRecordings } from './studies.js';

export const questions: Questions = { ...methodQuestions, ...baselineQuestions };

const scenarios: Record<string, Scenario> = {
  ...runRecordings,
  ...judgeRecordings,
  ...studyRecordings,
  ...batchingRecordings,
  ...jobRecordings,
};

/** Each with the names of its files. */
export const recordings: [files: string[], scenario: Scenario][] = [
  ...Object.entries(questions).map(([name, one]): [string[], Scenario] => [
    [name],
    () => runQuestion(name, one),
  ]),
  ...Object.entries(scenarios).map(([names, scenario]): [string[], Scenario] => [
    names.split(' '),
    scenario,
  ]),
];
