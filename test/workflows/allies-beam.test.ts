import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import { type AlliesOptions, allies } from '../../workflows/methods/allies/allies.js';
import {
  chooseState,
  draftState,
  extendBeam,
  startBeam,
} from '../../workflows/methods/allies/beam-search.js';
import type { AlliesState, Draft } from '../../workflows/methods/allies/chain.js';

const defaults: AlliesOptions = parseInput({ options: allies.options }, { question: 'q' }).options;

/** A state of a score; null for one whose answer could not be read. */
function draft(score: number | null): Draft {
  const found = [{ query: 's', evidence: 'On s', passages: [] }];
  return draftState(found, score === null ? null : `scored ${score}`, score);
}

function search(...seeds: (number | null)[]) {
  return startBeam(seeds.map((score) => draft(score)));
}

const ids = (states: readonly AlliesState[]) => states.map(({ id }) => id);

describe('extendBeam', () => {
  it('prefers of equals the earlier parent in the beam, then the earlier sub-query', () => {
    const first = extendBeam(search(0.5, 0.5), [[draft(0.3)], [draft(0.6)]], defaults);
    expect(ids(first.beam)).toEqual([3, 2]);
    // State 3 stands first in the beam, so its children come before those of state 2.
    const tied = [draft(0.4), draft(0.4)];
    const second = extendBeam(first, [tied, tied], defaults);
    expect(second.states.slice(4).map(({ parent }) => parent)).toEqual([3, 3, 2, 2]);
    expect(ids(second.beam)).toEqual([4, 5]);
  });

  it('is not ended by a seed or an earlier state that is better (lines 21 to 26)', () => {
    const first = extendBeam(search(1, 0.9), [[draft(0.6)], [draft(0.7)]], defaults);
    expect(first.stopped).toBeNull();
    const second = extendBeam(first, [[draft(0.1)], [draft(0.5)]], defaults);
    expect(second.stopped).toBe('depth');
    expect(chooseState(second)?.score).toBe(0.5);
  });

  it('lets the beam stand when a depth brings nothing', () => {
    const first = extendBeam(search(0.2, 0.3), [[draft(0.6), draft(0.7)], []], defaults);
    expect(ids(first.beam)).toEqual([3, 2]);
    const second = extendBeam(first, [[], []], defaults);
    expect(second).toMatchObject({ stopped: 'noExtension', states: first.states });
    expect(chooseState(second)?.id).toBe(3);
    expect(chooseState(extendBeam(search(0.2, 0.3), [[], []], defaults))?.id).toBe(1);
  });

  it('chooses a seed where no state has an answer, and nothing where no seed has one', () => {
    const nothing = extendBeam(search(null, 0.1), [[draft(null)], []], defaults);
    expect(nothing.states[2]).toMatchObject({ kept: false, flags: ['unreadableAnswer'] });
    expect(chooseState(nothing)?.id).toBe(1);
    expect(chooseState(extendBeam(search(null, null), [[], []], defaults))).toBeUndefined();
  });

  const score = fc.oneof(
    fc.constantFrom(0, 0.5, 0.8, 1, null),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const extensions = fc.array(fc.array(score, { maxLength: 4 }), { minLength: 2, maxLength: 2 });

  it('orders, keeps and ends as algorithm 1 says, whatever the scores', () => {
    fc.assert(
      fc.property(
        extensions,
        fc.integer({ min: 1, max: 5 }),
        fc.oneof(fc.constantFrom(0.5, 0.8), fc.double({ min: 0, max: 1, noNaN: true })),
        (scores, beamSize, threshold) => {
          const options = { ...defaults, beamSize, threshold };
          const drafts = scores.map((line) => line.map((one) => draft(one)));
          const next = extendBeam(search(0.1, 1), drafts, options);
          const extended = next.states.filter(({ depth }) => depth === 1);
          const answered = extended.filter(({ answer }) => answer !== null);
          expect(ids(next.states)).toEqual(next.states.map((_, i) => i));
          expect(extended).toHaveLength(drafts.flat().length);
          if (answered.length === 0) {
            expect(next).toMatchObject({ stopped: 'noExtension', beam: [{ id: 0 }, { id: 1 }] });
            return;
          }
          expect(next.beam).toHaveLength(Math.min(beamSize, answered.length));
          expect(ids(extended.filter(({ kept }) => kept)).sort()).toEqual(ids(next.beam).sort());
          const inOrder = [...next.beam, ...answered.filter(({ kept }) => !kept)];
          for (const [i, one] of next.beam.entries()) {
            for (const other of inOrder.slice(i + 1)) {
              expect(
                one.score > other.score || (one.score === other.score && one.id < other.id),
              ).toBe(true);
            }
          }
          expect(next.stopped).toBe(
            answered.some((state) => state.score >= threshold) ? 'threshold' : null,
          );
        },
      ),
    );
  });
});
