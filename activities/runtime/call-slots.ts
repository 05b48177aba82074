import { setInterval } from 'node:timers';
import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { comesBack } from './application-failure.js';

/** How long an attempt waits for its turn; the server gives it half a minute more than its call. */
const PATIENCE_MS = 20_000;
const HEARTBEAT_MS = 1000;
const BACK_AFTER_MS = 1000;

/**
 * Each queue has slots of its own, and the same calls can come from two of them. Who comes when all
 * is taken waits, in order; who finds as many waiting as there is room for comes back later, to
 * whichever worker.
 */
export class CallSlots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Does the work of an activity in its turn. @throws ApplicationFailure AwaitsSlot to come back. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#most) this.#taken++;
    else await this.#turn(Context.current());
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }

  /** Resolves with the place of somebody who has ended. */
  #turn({ cancellationSignal, heartbeat, info }: Context): Promise<void> {
    if (this.#waiting.length >= this.#most) throw busy();
    return new Promise((resolve, reject) => {
      // What earlier attempts have left stays with the activity.
      const beat = setInterval(() => heartbeat(info.heartbeatDetails), HEARTBEAT_MS);
      const patience = setTimeout(() => leave(busy()), PATIENCE_MS);
      const cancelled = () => leave(cancellationSignal.reason);
      const end = () => {
        clearInterval(beat);
        clearTimeout(patience);
        cancellationSignal.removeEventListener('abort', cancelled);
      };
      const turn = () => {
        end();
        resolve();
      };
      const leave = (reason: unknown) => {
        end();
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(reason);
      };
      cancellationSignal.addEventListener('abort', cancelled);
      this.#waiting.push(turn);
    });
  }
}

function busy(): ApplicationFailure {
  const message = 'The worker has as many calls under way as it may have.';
  return comesBack('AwaitsSlot', message, Math.ceil(BACK_AFTER_MS * (1 + Math.random())));
}
