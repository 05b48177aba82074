/** Inputs of workflows that were recorded: what was accepted once still is. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import { isMethod, JOBS, methods, parseRunInput } from '../../interpreters/methods.js';
import { parseClusterInput } from '../../workflows/cluster-job.js';
import { FOLDER, readHistory } from '../support/recordings/history-file.js';

interface Start {
  workflowType: { name: string };
  input: { payloads: { data: string }[] };
}

/** Of options that never were accepted. */
const REFUSED = 'evaluate-run-refused';

const names = readdirSync(FOLDER)
  .map((file) => basename(file, '.json'))
  .filter((name) => name !== REFUSED);

const parsers: Record<string, (input: unknown) => unknown> = {
  evaluateRun: parseRunInput,
  genreadClusters: parseClusterInput,
};

it.each(names)('%s', async (recorded) => {
  const { events } = await readHistory(recorded);
  const start = events[0]?.workflowExecutionStartedEventAttributes as Start | undefined;
  const data = start?.input?.payloads?.[0]?.data;
  const started: unknown = data && JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  const name = start?.workflowType.name ?? '';
  if (isMethod(name)) {
    const { options, steps } = methods[name];
    expect(() => parseInput<unknown>({ options, steps }, started)).not.toThrow();
  } else if (parsers[name]) {
    expect(() => parsers[name]?.(started)).not.toThrow();
  } else {
    // What batches, calls and workers start for themselves is made of what was checked.
    expect(JOBS).toContain(name);
  }
});
