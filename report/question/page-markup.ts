/** Renders the page of a question. Pure. */
import type { Block, Card, Chip, PassageItem, Section, TreeNode } from '../../core/section.js';
import { html, type Markup } from '../html.js';
import type { IndexRun, ShownPage } from '../page-data.js';
import type { PassageText } from './passage-texts.js';
import type { CitedText, QuestionPage, RunPanel } from './question-page.js';
import type { SideBySide } from './side-by-side.js';

/**
 * Returns a passage by the id that a run uses for it, and its position in the page; undefined if
 * unknown.
 */
type Find = (id: string) => (PassageText & { at: number }) | undefined;

function findIn({ passages, placeOf }: QuestionPage, run: number): Find {
  return (id) => {
    const at = placeOf(run, id);
    return passages[at] && { ...passages[at], at };
  };
}

/** Maximum number of tabs; with more runs, a list replaces them. */
const MOST_TABS = 8;

/**
 * Returns the page of a question as HTML without the texts of passages (`markup`), and an array of
 * the HTML of these texts (`passages`).
 *
 * @param data Position of its data set.
 * @param runs Runs of the report, including those of other data sets, which are left out.
 */
export function pageMarkup(page: QuestionPage, data: number, runs: readonly IndexRun[]): ShownPage {
  const own = runs.flatMap((run, at) => (run.data === data ? [{ ...run, at }] : []));
  const { source } = html`<h3>${page.question}</h3>
<p class="row accepted"><span class="label">Accepted</span>${page.answers.map((answer) => html`<span class="gold">${answer}</span>`)}<code class="id">${page.id}</code></p>
${page.sides.map((side) => sideBySide(page, runs, side))}
${own.length > 1 && choice(page, own)}
${own.map((run) => panel(page, run))}`;
  const passages = page.passages.map(({ text }) => markedText(text ?? '', page.answers).source);
  return { markup: source, passages };
}

type OwnRun = IndexRun & { at: number };

/** Returns the choice of the run to show. */
function choice(page: QuestionPage, own: readonly OwnRun[]): Markup {
  const stateOf = (at: number) => page.runs[at]?.state ?? 'open';
  if (own.length > MOST_TABS) {
    return html`<select class="runs" aria-label="Run">${own.map(({ at, name }) => html`<option value="${at}">${name}: ${stateOf(at)}</option>`)}</select>`;
  }
  return html`<fieldset class="runs tabs">${own.map(({ at, name, colour, run }) => {
    const label = `${name} (${run}): ${stateOf(at)}`;
    return html`<label class="${colour}" title="${label}"><input type="radio" name="panel" value="${at}" aria-label="${label}"><span><i class="dot"></i>${name}<span class="mark ${stateOf(at)}"></span></span></label>`;
  })}</fieldset>`;
}

/** Returns a run's answer to the question. Its data attributes are for a served page. */
function panel(page: QuestionPage, { at, run, stored }: OwnRun): Markup {
  const [shown, find] = [page.runs[at], findIn(page, at)];
  if (!shown) {
    return html`<div class="panel" role="region" aria-label="${run}" data-at="${at}"><p class="note">Not ended.</p></div>`;
  }
  const { state, answer, mark, endedAt, facts, sections } = shown;
  return html`<div class="panel" role="region" aria-label="${run}" data-at="${at}" data-run="${stored}" data-id="${page.id}" data-of="${endedAt}" data-says="${mark?.says}" data-note="${mark?.note}">
${answerLine(state, cited(answer, find))}
${mark && marked(mark)}
<dl class="row facts">${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${sections.map((section) => sectionMarkup(section, find))}</div>`;
}

/** Returns the differing sections of a fork beside those of its parent run. */
function sideBySide(
  page: QuestionPage,
  names: readonly IndexRun[],
  { fork, parent, sections }: SideBySide,
): Markup {
  const columns = [parent, fork].map((at, side) => {
    const [name, run, find] = [names[at], page.runs[at], findIn(page, at)];
    const shown = sections.flatMap((pair) => pair[side] ?? []);
    return html`<div class="side"><p class="run ${name?.colour}"><i class="dot"></i>${name?.name}</p>
${answerLine(run?.state ?? '', html`<span>${run?.answer.text}</span>`)}
${shown.map((section) => sectionMarkup(section, find))}</div>`;
  });
  return html`<section class="sides">${columns}</section>`;
}

/** Returns the state of a question, with its answer or the text shown instead. */
function answerLine(state: string, answer: Markup): Markup {
  return html`<p class="answer"><span class="chip ${state}">${state}</span>${answer}</p>`;
}

/** Returns a person's verdict on an answer. */
function marked({ says, note, against }: NonNullable<RunPanel['mark']>): Markup {
  const otherwise = against.length > 0 && `contradicts ${against.join(', ')}`;
  return html`<p>${says !== null && chip({ text: `marked ${says}`, tone: 'plain' })}${otherwise && chip({ text: otherwise, tone: 'warn' })} ${note}</p>`;
}

/** Returns a text in which [1] links to the cited passage. */
function cited({ text, cites = [] }: CitedText, find: Find): Markup {
  const ids = new Map(cites.map(({ number, passage }) => [`[${number}]`, passage]));
  const parts = text.split(/(\[\d+\])/).map((part) => {
    const id = ids.get(part);
    if (id === undefined) return part;
    const { at, title } = find(id) ?? {};
    return html`<button class="cite" type="button" title="${title}" data-cites="${at}">${part}</button>`;
  });
  return html`<span>${parts}</span>`;
}

function sectionMarkup({ title, note, blocks, closed }: Section, find: Find): Markup {
  return html`<details class="section"${!closed && html` open`}><summary><h4>${title}</h4>${note && html`<span class="note">${note}</span>`}</summary>${blocksMarkup(blocks, find)}</details>`;
}

function blocksMarkup(blocks: readonly Block[], find: Find): Markup[] {
  return blocks.map((block) => blockMarkup(block, find));
}

function blockMarkup(block: Block, find: Find): Markup {
  switch (block.type) {
    case 'text': {
      const text = html`<p class="prose">${block.text}</p>`;
      return block.label ? html`<div><span class="label">${block.label}</span>${text}</div>` : text;
    }
    case 'note':
      return html`<p class="note">${block.text}</p>`;
    case 'passages':
      return html`<ul class="passages">${block.items.map((item) => passageItem(item, find))}</ul>`;
    case 'cards':
      return html`<div class="cards">${block.items.map((item) => card(item, find))}</div>`;
    case 'tree':
      return tree(block.items, find);
    case 'table':
      return table(block);
    case 'fold':
      return html`<details class="fold"><summary>${block.title}</summary>${blocksMarkup(block.blocks, find)}</details>`;
  }
}

function passageItem(
  { passage: { id }, number, cited, chips, blocks = [] }: PassageItem,
  find: Find,
): Markup | undefined {
  const passage = find(id);
  if (!passage) return undefined;
  const { at, title, own, text, hit } = passage;
  const shownId = own?.id ?? id;
  const scored =
    own?.score === undefined ? [] : [{ text: `score ${own.score}`, tone: 'plain' as const }];
  const good = [...(hit ? ['contains an answer'] : []), ...(cited ? ['cited'] : [])];
  const head = html`${number !== undefined && html`<b class="number">[${number}]</b>`}<strong class="title">${title || shownId}</strong>${good.map((words) => chip({ text: words, tone: 'good' }))}${[...scored, ...chips].map(chip)}${title && html`<code class="id" title="${id}">${shownId}</code>`}`;
  const named =
    text === null
      ? html`<div class="row head">${head}</div>`
      : html`<details data-passage="${at}"><summary class="head">${head}</summary></details>`;
  return html`<li>${named}${blocks.length > 0 && html`<div class="made">${blocksMarkup(blocks, find)}</div>`}</li>`;
}

/** Returns a text with the accepted answers marked. */
function markedText(text: string, answers: readonly string[]): Markup {
  const names = answers.flatMap((accepted) => accepted.split(' / '));
  const wanted = names.filter((name) => name.length > 1 && name.length < 60);
  if (wanted.length === 0) return html`<p class="prose">${text}</p>`;
  const escaped = wanted.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'));
  return html`<p class="prose">${parts.map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part))}</p>`;
}

function card(shown: Card, find: Find): Markup {
  const { chosen, call, blocks } = shown;
  return html`<div class="card${chosen && ' chosen'}"${call !== undefined && html` data-call="${call}"`}><div class="row head">${titleOf(shown)}</div>${blocksMarkup(blocks, find)}</div>`;
}

function tree(nodes: readonly TreeNode[], find: Find): Markup {
  return html`<ul class="tree">${nodes.map((node) => html`<li>${treeNode(node, find)}${node.children.length > 0 && tree(node.children, find)}</li>`)}</ul>`;
}

function treeNode(shown: TreeNode, find: Find): Markup {
  const { chosen, dropped, blocks } = shown;
  const state = html`${chosen && ' chosen'}${dropped && ' dropped'}`;
  return blocks.length === 0
    ? html`<div class="row node head${state}">${titleOf(shown)}</div>`
    : html`<details class="node${state}"><summary class="head">${titleOf(shown)}</summary>${blocksMarkup(blocks, find)}</details>`;
}

function titleOf({ title, chips, chosen }: Card): Markup {
  const answer: Chip[] = chosen ? [{ text: 'the answer', tone: 'good' }] : [];
  return html`<strong>${title}</strong>${[...answer, ...chips].map(chip)}`;
}

function chip({ text, tone }: Chip): Markup {
  return html`<span class="chip ${tone}">${text}</span>`;
}

function table({ head, rows, chosen }: Extract<Block, { type: 'table' }>): Markup {
  const lines = rows.map(
    (row, i) =>
      html`<tr class="${i === chosen && 'chosen'}">${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  );
  return html`<div class="scroller" tabindex="0" role="region" aria-label="${head.join(', ')}"><table><thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
