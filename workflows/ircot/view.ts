/** IRCoT: each thought with the passages it brought. Pure. */

import type { View } from '../../core/view.js';
import { baseView, cards, chip, inOrder, section, text, titles } from '../../report/views/parts.js';
import type { IrcotChain, ThinkingEnd } from './options.js';

const ENDED: Record<ThinkingEnd, string> = {
  answer: 'came to an answer',
  passages: 'as many passages as may be',
  thoughts: 'as many thoughts as may be',
  repeated: 'a thought came again',
  nothingNew: 'two thoughts brought nothing new',
  unreadable: 'the next could not be read',
};

export const ircotView: View<IrcotChain> = (chain, context) => {
  const { passages, thoughts, ended, concluded, reasoning } = chain;
  const numberOf = (id: string) => passages.findIndex((passage) => passage.id === id) + 1;
  const thinking = thoughts.map(({ text: thought, brought }, i) => ({
    title: `Thought ${i + 1}`,
    chips: [
      chip(brought.length === 0 ? 'nothing new' : `passages ${brought.map(numberOf).join(', ')}`),
    ],
    blocks: [...text(thought), ...titles(inOrder(passages, brought))],
  }));
  const answer =
    concluded === null ? [] : [{ title: 'Answer', chips: [chip(concluded)], blocks: [] }];
  return [
    ...section('Thoughts', cards([...thinking, ...answer]), { note: ENDED[ended] }),
    ...section('Reasoning', text(reasoning)),
    ...baseView(chain, context),
  ];
};
