/** What a question needs before it starts, written down in its history. */
import { ApplicationFailure } from '@temporalio/common';
import type { AskedBy } from '../../methods/batch/batch.js';
import { Failure } from '../../methods/failure.js';
import { type CompleteInput, parseInput } from '../../methods/options/input.js';
import { methodNamed } from '../../methods/registry.js';
import type { PassageRef } from '../../methods/vocabulary.js';
import type { Source } from '../../steps/other/retrieve.js';
import { questionOf } from '../batch/run-of.js';
import type { Ports } from './ports.js';

/** Input with every default filled in, the passages that came with it by reference. */
export interface PreparedInput<O> extends Omit<CompleteInput<O>, 'retrieval'> {
  retrieval: Source;
}

export interface Prepared<O> {
  input: PreparedInput<O>;
  /** The model of the steps for which the input names none. */
  defaultModel: string;
  /** Whether the server has those of ours. */
  searchAttributes: boolean;
}

export type PrepareActivity = (
  method: string,
  input: unknown,
  asked?: AskedBy,
) => Promise<Prepared<unknown>>;

/**
 * Makes the activity that checks the input, stores supplied passages, checks that the corpus is
 * there and fit, and says what the worker is set up with. A local activity: its input, with the
 * texts, enters no history; its result does, so that a question keeps the defaults it began with.
 *
 * Workflows leave the check to it since what checks would be loaded anew for every question.
 */
export function prepareActivity(ports: Ports): PrepareActivity {
  const { defaultModel, searchAttributes } = ports;
  return async (method, started, asked = {}) => {
    try {
      const ofBatch = asked.record !== undefined;
      const input = parseInput(methodNamed(method, ports.methods), started, ofBatch);
      const retrieval = await sourceOf(input.retrieval, await givenPassages(asked, ports), ports);
      return { input: { ...input, retrieval }, defaultModel, searchAttributes };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw ApplicationFailure.create({
        type: error.type,
        message: error.message,
        nonRetryable: !error.retryable,
      });
    }
  };
}

/** The passages that a batch asks the question with, where it does. */
async function givenPassages(
  { record }: AskedBy,
  { runs }: Pick<Ports, 'runs'>,
): Promise<PassageRef[] | undefined> {
  return record && (await questionOf(record, runs)).stored;
}

async function sourceOf(
  { corpus, mode, passages }: CompleteInput<unknown>['retrieval'],
  given: PassageRef[] | undefined,
  ports: Pick<Ports, 'corpora' | 'passages'>,
): Promise<Source> {
  const how = mode && { mode };
  if (given) return { supplied: given, ...how };
  if (passages) return { supplied: await ports.passages.put(passages), ...how };
  await ports.corpora.open(corpus, mode);
  return { corpus, ...how };
}
