/** Runs calls against a token limiter in simulated time. */
import { type TokenLimiter, tokenLimiter } from '../../../llm/rates/token-limiter.js';
import type { KeyValueStore } from '../../../stores/key-value-store.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { mostIn } from '../../cluster/rates.js';

export interface SimulatedCall {
  name: string;
  tokens: number;
  /** Used in the end, where the estimate was wrong. */
  used?: number;
  /** When it first asks, in milliseconds. */
  at?: number;
  first?: boolean;
  horizonMs?: number;
}

export interface SimulatedStart {
  name: string;
  /** When it was granted. */
  at: number;
  tokens: number;
  /** How often it was told to come back. */
  returns: number;
}

export interface Simulation {
  limiter: TokenLimiter;
  clock: { now: number };
  /** Runs calls to their end, and gives their starts in order. */
  simulate(calls: SimulatedCall[], limiter?: TokenLimiter): Promise<SimulatedStart[]>;
  /** Another worker on the same store. */
  another(): TokenLimiter;
}

const EPOCH = 1_700_000_000_000;

export function simulation(
  ownLimit: number | null,
  store: KeyValueStore = new MemoryStore(),
): Simulation {
  const clock = { now: EPOCH };
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const another = () => tokenLimiter({ store, queue: 'q', ownLimit, now: () => clock.now, random });
  const limiter = another();
  return {
    limiter,
    clock,
    another,
    async simulate(calls, using = limiter) {
      const begin = clock.now;
      type Waiting = SimulatedCall & { next: number; returns: number; held?: never };
      const waiting: Waiting[] = calls.map((call) => ({
        ...call,
        next: begin + (call.at ?? 0),
        returns: 0,
      }));
      const starts: SimulatedStart[] = [];
      while (waiting.length > 0) {
        waiting.sort((a, b) => a.next - b.next);
        const [call] = waiting.splice(0, 1);
        if (!call) break;
        clock.now = Math.max(clock.now, call.next);
        const { tokens, held, first = false, horizonMs = 60_000, used = tokens } = call;
        const turn = await using.reserve({ tokens, held, horizonMs, first });
        if (turn.granted) {
          starts.push({
            name: call.name,
            at: clock.now - begin,
            tokens: used,
            returns: call.returns,
          });
          await using.reconcile(turn.reservation, used);
        } else {
          const returns = call.returns + 1;
          const kept = { held: turn.reservation as never, next: clock.now + turn.retryAfterMs };
          waiting.push({ ...call, ...kept, returns });
        }
      }
      return starts;
    },
  };
}

/** The most tokens started within any minute. */
export function mostInAMinute(starts: SimulatedStart[]): number {
  const charges = starts.map(({ at, tokens }) => ({ at, amount: tokens }));
  return mostIn(charges, 60_000);
}
