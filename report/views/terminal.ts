/** Draws sections in a terminal of 80 columns. Pure. */

import pc from 'picocolors';
import type {
  Block,
  Card,
  Chip,
  PassageItem,
  Section,
  Tone,
  TreeNode,
} from '../../core/section.js';
import { clip, WIDTH, wrap } from './layout.js';
import { printable } from './printable.js';

/**
 * Maximum number of lines of a text that has its own section, or of the answer; and of a text
 * among several.
 */
const [WHOLE, AMONG_OTHERS] = [12, 4];
/** The most lines of a list of passages. */
const PASSAGES = 6;
/** The deepest indented level of a tree. */
const DEEPEST = 15;
/** Width after the mark of the chosen row. */
const ROOM = WIDTH - 2;

/**
 * Returns sections as lines for the terminal, with a blank line after each section. Lines have at
 * most 80 columns, but a longer word is not broken. Sections without content or marked as detail,
 * and folded blocks, are left out; long texts and lists are cut.
 */
export function drawSections(sections: readonly Section[]): string[] {
  return sections.flatMap(({ title, note, blocks, detail }) => {
    const lines = detail ? [] : blocks.flatMap(drawBlock);
    if (lines.length === 0) return [];
    return [pc.bold(clip(oneLine(note ? `${title} (${note})` : title))), ...lines, ''];
  });
}

function drawBlock(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return wrap(block.text, '    ', WHOLE);
    case 'note':
      return wrap(block.text, '  ', AMONG_OTHERS).map(pc.dim);
    case 'passages':
      return passageLines(block.items);
    case 'cards': {
      const most = block.items.length > 1 ? AMONG_OTHERS : WHOLE;
      return block.items.flatMap((card) => cardLines(card, most));
    }
    case 'tree':
      return block.items.flatMap((node) => nodeLines(node, 0));
    case 'table':
      return tableLines(block);
    case 'fold':
      return [];
  }
}

/** Returns a card's lines: the title, its chips beside or below it, its texts. */
function cardLines({ title, chips, chosen, blocks }: Card, most: number): string[] {
  const heading = oneLine(title);
  const facts = oneLine(chips.map(({ text }) => text).join(', '));
  const fits = heading.length + 2 + facts.length <= ROOM;
  const [first = '', ...rest] = fits ? [heading] : wrap(heading, '  ', 2).map((l) => l.trimStart());
  return [
    `${mark(chosen)} ${pc.bold(first)}${fits && facts ? `  ${colored(chips)}` : ''}`,
    ...rest.map((line) => `  ${pc.bold(line)}`),
    ...(fits || !facts ? [] : wrap(facts, '    ', 2).map(pc.dim)),
    ...textLines(blocks, chosen ? WHOLE : most),
  ];
}

/** Returns the texts among blocks, labelled if there are several. */
function textLines(blocks: readonly Block[], most: number, indent = '    '): string[] {
  const texts = blocks.filter((block) => block.type === 'text');
  return texts.flatMap(({ label, text }) =>
    wrap(label && texts.length > 1 ? `${label}: ${text}` : text, indent, most),
  );
}

/**
 * Returns passages: those with remarks on a line each; otherwise the cited ones, and all in a
 * numbered paragraph.
 */
function passageLines(items: readonly PassageItem[]): string[] {
  const titles = items.map(({ passage: { id, title, own } }) => oneLine(title || (own?.id ?? id)));
  const line = ({ number, cited }: PassageItem, i: number) => {
    const heading = clip(`  [${number ?? i + 1}] ${titles[i]}`, WIDTH - 11);
    return cited === false ? pc.dim(`${heading}, not cited`) : heading;
  };
  if (items.some(({ blocks }) => blocks && blocks.length > 0)) {
    return items.flatMap((item, i) => [
      line(item, i),
      ...textLines(item.blocks ?? [], AMONG_OTHERS, '      '),
    ]);
  }
  const cited = items.flatMap((item, i) => (item.cited ? [line(item, i)] : []));
  const list = titles.map((title, i) => `${i + 1}. ${title}`).join('; ');
  return [...cited, ...wrap(list, '    ', PASSAGES)];
}

/** Returns a line for each node, facts first to align them; else its texts. */
function nodeLines(node: TreeNode, depth: number): string[] {
  const { title, chips, chosen, dropped, blocks, children } = node;
  const indent = '  '.repeat(Math.min(depth, DEEPEST));
  const parts = [...chips.map(({ text }) => text), title].map(oneLine);
  const line = clip(`${indent}${parts.join('  ')}`, ROOM);
  return [
    `${mark(chosen)} ${dropped ? pc.dim(line) : line}`,
    ...(chips.length === 0 ? textLines(blocks, AMONG_OTHERS, `    ${indent}`) : []),
    ...children.flatMap((child) => nodeLines(child, depth + 1)),
  ];
}

/** Draws columns as wide as needed; the widest shrink until all fit. */
function tableLines({ head, rows, chosen }: Extract<Block, { type: 'table' }>): string[] {
  const cells = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2);
  while (total() > ROOM && Math.max(...widths) > 1) {
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  }
  const [names = '', ...lines] = cells.map((row) => {
    const padded = row.map((cell, i) => clip(cell, widths[i]).padEnd(widths[i] ?? 0));
    return clip(padded.join('  ').trimEnd(), ROOM);
  });
  return [pc.dim(`  ${names}`), ...lines.map((line, i) => `${mark(i === chosen)} ${line}`)];
}

function mark(taken: boolean | undefined): string {
  return taken ? pc.green('*') : ' ';
}

const COLORS: Record<Tone, (text: string) => string> = {
  good: pc.green,
  bad: pc.red,
  warn: pc.yellow,
  plain: pc.dim,
};

function colored(chips: readonly Chip[]): string {
  return chips.map(({ text, tone }) => COLORS[tone](oneLine(text))).join(pc.dim(', '));
}

function oneLine(text: string): string {
  return printable(text).trim().replace(/\s+/g, ' ');
}
