/** An invented world to ask about: bridges, their builders, and passages on them. */

import { seededRandom } from '../../../core/sampler.js';
import type { Passage } from '../../../core/vocabulary.js';

export interface Fact {
  id: string;
  question: string;
  answer: string;
  /** A person who had to do with it, and is not the answer. */
  rival: string;
  bridge: string;
  river: string;
  year: number;
  /** The first holds the answer. */
  passages: Passage[];
}

const FIRST = 'Ada Bruno Celia Dario Edda Felix Greta Hugo Ines Jonas'.split(' ');
const LAST = 'Alder Birch Calloway Durand Ember Fenwick Garrow Holt Ivers'.split(' ');
const RIVERS = 'Wend Marl Tessen Ouvre Kelde Lorrin Pask Sirra'.split(' ');
const KINDS = 'Chain Old Northern Mill Harbour Stone Glass'.split(' ');

/** So many facts, the same every time. */
export function facts(count: number): Fact[] {
  const random = seededRandom('facts');
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)] ?? '';
  return Array.from({ length: count }, (_, i) => {
    const river = pick(RIVERS);
    const bridge = `${pick(KINDS)} Bridge ${i + 1}`;
    const answer = `${pick(FIRST)} ${pick(LAST)}`;
    const rival = `${pick(FIRST)} ${pick(LAST)}-${pick(LAST)}`;
    const year = 1700 + Math.floor(random() * 250);
    const question = `Who designed the ${bridge} over the ${river}, opened in ${year}?`;
    const texts: [title: string, text: string][] = [
      [
        bridge,
        `The ${bridge} crosses the ${river} below the old ferry steps. It was designed by ${answer}, who had never built over water before, and opened in ${year} after six years of work. Carts paid a toll of two pennies until the council bought the crossing.`,
      ],
      [
        rival,
        `${rival} drew a rival plan for a crossing of the ${river} with three arches, which the council set aside as too dear. The drawings hang in the toll house today.`,
      ],
      [
        `Floods of the ${river}`,
        `In the spring of ${year + 9} the ${river} rose by four metres and carried away two mills. Most crossings held; the wooden ones did not.`,
      ],
      [
        'Toll houses',
        'A toll house stands at one end of a bridge or road. Its window looks both ways, so that the keeper sees who comes.',
      ],
      [
        `${river} (river)`,
        `The ${river} rises in the hills and reaches the sea after ninety kilometres. Barges go as far as the second lock.`,
      ],
    ];
    const passages = texts.map(([title, text], n) => ({ id: `f${i}-p${n + 1}`, title, text }));
    return { id: `bridge-${i}`, question, answer, rival, bridge, river, year, passages };
  });
}
