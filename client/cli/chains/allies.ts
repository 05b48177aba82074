/** ALLIES' beam search for a terminal: a tree of states, and what the answer rests on. Pure. */
import pc from 'picocolors';
import type { AlliesChain, AlliesState, Stopped } from '../../../methods/allies.js';
import { clip, mark, section, WIDTH, wrap } from './layout.js';

const ENDED: Record<Stopped, string> = {
  threshold: 'a state reached the threshold',
  depth: 'the greatest depth was reached',
  noExtension: 'no further state had an answer',
};

export function alliesChain({ states, chosen, stopped }: AlliesChain): string[] {
  const tree = (parent: number | null): string[] =>
    states
      .filter((state) => state.parent === parent)
      .flatMap((state) => [stateLine(state, state.id === chosen), ...tree(state.id)]);
  return [
    ...section(`States (${ENDED[stopped]})`, tree(null)),
    ...section(
      'What the answer rests on',
      pathTo(states, chosen).flatMap(({ subQuery, evidence }) =>
        subQuery === null
          ? []
          : [clip(`  ${subQuery}`), ...(evidence ? wrap(evidence, '    ', 4) : [])],
      ),
    ),
  ];
}

/** `  0.70  Bell  When was it granted?`, further in the deeper it is; faint where it was dropped. */
function stateLine({ depth, score, answer, subQuery, kept, flags }: AlliesState, taken: boolean) {
  const value = flags.includes('unreadableScore') ? 'unread' : score.toFixed(2);
  const said = answer ?? '(unreadable)';
  const from = subQuery ?? '(from what the model knows)';
  const line = clip(`${'  '.repeat(depth)}${value}  ${said}  ${from}`, WIDTH - 2);
  return `${mark(taken)} ${kept ? line : pc.dim(line)}`;
}

/** The states from a seed to the chosen one. */
function pathTo(states: readonly AlliesState[], id: number | null): AlliesState[] {
  const state = states.find((one) => one.id === id);
  return state ? [...pathTo(states, state.parent), state] : [];
}
