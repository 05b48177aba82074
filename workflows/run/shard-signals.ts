/** What a run and the shards of its window say to each other. */
import { defineSignal } from '@temporalio/workflow';
import type { RunSpec } from '../../core/run/input.js';
import type { Ending } from '../../core/run/run.js';
import type { InFlightQuestion } from './carried.js';
import type { WaitingQuestion } from './held-back.js';

/** So many questions a shard may have under way; Temporal allows 2,000 children a workflow. */
export const PLACES = 1000;

export interface ShardInput {
  spec: RunSpec;
  /** Workflow id of the run. */
  run: string;
  /** Questions that it may have under way. @default PLACES */
  places?: number;
}

export interface ShardReport {
  /** Its workflow id. */
  shard: string;
  ended: { asked: InFlightQuestion; ending: Ending }[];
}

/** To a shard: questions to begin. */
export const askSignal = defineSignal<[WaitingQuestion[]]>('ask');
/** To a shard: nothing more comes. */
export const closeSignal = defineSignal('close');
/** To the run. */
export const endedSignal = defineSignal<[ShardReport]>('ended');
