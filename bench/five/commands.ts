/** The commands of durable-rag over a worker whose model is the scripted reader. */
import { commandsWith, type Type } from '../commands.js';
import type { MockModelRequest, MockModelState } from '../speed/mock-server.js';
import { startRemote } from '../speed/remote.js';
import { workerEnv } from '../speed/worker-env.js';
import type { TemporalStage } from '../temporal-stage.js';

export const MODEL = 'scripted-reader';
/** The model that the reader answers for by other lots, so that a part of its answers are others. */
export const OTHER_MODEL = 'another-reader';

/**
 * Starts both.
 *
 * @param dataset lines of {"question", "answers"} that the reader knows.
 */
export async function startCommands(
  { folder, temporal, takeDown }: TemporalStage,
  dataset: string,
  further: NodeJS.ProcessEnv = {},
): Promise<Type> {
  const model = await startRemote<MockModelRequest, MockModelState>('../five/reader.js', {
    READER_DATASET: dataset,
  });
  takeDown(() => model.stop());
  const { baseUrl } = await model.ask({ latencyMs: 0 });
  const env = { ...workerEnv({ folder, temporal }, baseUrl, MODEL), ...further };
  const worker = await startRemote('worker.js', env);
  takeDown(() => worker.stop());
  return commandsWith(env, folder);
}
