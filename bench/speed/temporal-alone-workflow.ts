/** The shape of a SuRe question and nothing of its work: as many tasks, steps and bytes. */
import {
  proxyActivities,
  proxyLocalActivities,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { keywords } from '../../workflows/search-attributes.js';
import type { steps } from './temporal-alone-worker.js';

const { prepare, retrieve } = proxyLocalActivities<typeof steps>({ startToCloseTimeout: '10s' });

/** Timeouts, retries and a summary in the Temporal UI as a model step of ours has them. */
const call = (summary: string) =>
  proxyActivities<typeof steps>({
    startToCloseTimeout: '330s',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '30s', backoffCoefficient: 2 },
    summary,
  });

/** Bytes as in the history of a question, which `bench:speed` prints. */
const text = (bytes: number) => 'x'.repeat(bytes);
const SETTINGS = text(120);
const REFERENCE = text(123);
const RESULT = text(3300);

export async function temporalAlone(question: string): Promise<object> {
  const prepared = await prepare(question);
  const passages = await retrieve(prepared.question);
  const asked = { question, passages };
  const candidates = await call('2 candidates').generateCandidates(asked, SETTINGS);
  const numbers = candidates.map((_, k) => k);
  await Promise.all(
    numbers.map((k) => call(`candidate ${k}`).summarize({ ...asked, candidates, k }, SETTINGS)),
  );
  const verdicts = numbers.map((k) =>
    call(`candidate: ${candidates[k]}`).validate(
      { question, candidate: candidates[k], summary: REFERENCE },
      SETTINGS,
    ),
  );
  const votes = numbers.map((k) =>
    call(`summary ${k}`).rankPair(
      { question, first: REFERENCE, second: REFERENCE, candidates },
      SETTINGS,
    ),
  );
  await Promise.all([...verdicts, ...votes]);
  upsertSearchAttributes(keywords({ QaOutcome: 'answered' }));
  return { question, chain: RESULT };
}
