/** The commands of durable-rag over a worker whose model is the scripted reader. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../stores/package-root.js';
import type { MockModelRequest, MockModelState } from '../speed/mock-server.js';
import { startRemote } from '../speed/remote.js';
import { workerEnv } from '../speed/worker-env.js';
import type { TemporalStage } from '../temporal-stage.js';

export const MODEL = 'scripted-reader';
/** The model that the reader answers for by other lots, so that a part of its answers are others. */
export const OTHER_MODEL = 'another-reader';

/**
 * Starts both, and gives what runs a command as a person would type it and returns what it prints.
 *
 * @param dataset lines of {"question", "answers"} that the reader knows.
 */
export async function startCommands(
  { folder, temporal, takeDown }: TemporalStage,
  dataset: string,
  further: NodeJS.ProcessEnv = {},
): Promise<(...args: string[]) => Promise<string>> {
  const model = await startRemote<MockModelRequest, MockModelState>('../five/reader.js', {
    READER_DATASET: dataset,
  });
  takeDown(() => model.stop());
  const { baseUrl } = await model.ask({ latencyMs: 0 });
  const own = workerEnv({ folder, temporal }, baseUrl, MODEL);
  const env = { ...process.env, ...own, ...further };
  const worker = await startRemote('worker.js', env);
  takeDown(() => worker.stop());
  const program = path.join(packageRoot(), 'bin', 'durable-rag.js');
  return async (...args) => {
    console.error(`durable-rag ${args.join(' ')}`);
    const options = { env, maxBuffer: 2 ** 26 };
    return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
  };
}
