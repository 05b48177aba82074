import { setInterval } from 'node:timers';
import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { comesBack } from './retry-policy.js';

/**
 * Longest wait of an attempt for its slot. The server gives it half a minute more than its call.
 */
const PATIENCE_MS = 20_000;
const HEARTBEAT_MS = 1000;
const BACK_AFTER_MS = 1000;

/**
 * Shares call slots between two queues that can bring the same calls. If all slots are taken, a
 * call waits in order. If as many calls wait as there are slots, it comes back later, on any
 * worker.
 */
export class CallSlots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs an activity once it has a slot. @throws ApplicationFailure AwaitsSlot if it should come
   * back.
   */
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

  /** Resolves once a finished call passes its slot on. */
  #turn({ cancellationSignal, heartbeat, info }: Context): Promise<void> {
    if (this.#waiting.length >= this.#most) throw busy();
    return new Promise((resolve, reject) => {
      // The progress left by earlier attempts stays with the activity.
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
