/**
 * The page of a question. Texts come from models, corpora and data sets: they are added as text,
 * never as markup.
 */
import type {
  Block as BlockOf,
  Card as CardOf,
  Chip,
  PassageItem as PassageItemOf,
  Section as SectionOf,
  TreeNode as TreeNodeOf,
} from '../../core/section.js';
import type { CitedText, QuestionIndex, QuestionPage, RunPanel, SideBySide } from '../page-data.js';

/** Passages are named by their places in the page's data. */
type Section = SectionOf<number>;
type Block = BlockOf<number>;
type Card = CardOf<number>;
type TreeNode = TreeNodeOf<number>;
type PassageItem = PassageItemOf<number>;

type Child = Node | string;

function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}

const index = JSON.parse(find('#index').textContent) as QuestionIndex;
const places = new Map(index.rows.map(({ key }, place) => [key, place]));
/** With more runs a list takes the place of the tabs. */
const MOST_TABS = 8;
const article = find<HTMLElement>('#question');
/** The run that is shown, also of the next question. */
let chosenRun = 0;

/** Reads a question's page. Pages are compressed, several together, in the order of the list. */
async function readPage(position: number): Promise<QuestionPage | undefined> {
  const packs = [...document.querySelectorAll<HTMLElement>('.pages')];
  const pack = packs.findLast((element) => Number(element.dataset.first) <= position);
  if (!pack) return undefined;
  const bytes = Uint8Array.from(atob(pack.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const pages = (await new Response(stream).json()) as QuestionPage[];
  return pages[position - Number(pack.dataset.first)];
}

/** Draws the sections of one question. */
class SectionRenderer {
  constructor(private readonly page: QuestionPage) {}

  run(run: RunPanel): Node[] {
    const facts = run.facts.map(({ label, value }) =>
      el('div', '', el('dt', '', label), el('dd', '', value)),
    );
    return [
      answerLine(run.state, this.cited(run.answer)),
      ...(run.mark ? [marked(run.mark)] : []),
      el('dl', 'row facts', ...facts),
      ...run.sections.map((section) => this.section(section)),
    ];
  }

  section({ title, note, blocks, closed }: Section): Node {
    const summary = el('summary', '', el('h4', '', title));
    if (note) summary.append(el('span', 'note', note));
    const details = el('details', 'section', summary, ...blocks.map((block) => this.block(block)));
    details.open = !closed;
    return details;
  }

  private block(block: Block): Node {
    switch (block.type) {
      case 'text': {
        const text = el('p', 'prose', block.text);
        return block.label ? el('div', '', el('span', 'label', block.label), text) : text;
      }
      case 'note':
        return el('p', 'note', block.text);
      case 'passages':
        return el('ul', 'passages', ...block.items.map((item) => this.passage(item)));
      case 'cards':
        return el('div', 'cards', ...block.items.map((card) => this.card(card)));
      case 'tree':
        return this.tree(block.items);
      case 'table':
        return table(block);
      case 'fold': {
        const blocks = block.blocks.map((inner) => this.block(inner));
        return el('details', 'fold', el('summary', '', block.title), ...blocks);
      }
    }
  }

  /** A text in which [1] leads to the passage that it stands for. */
  private cited({ text, cites = [] }: CitedText): Node {
    const places = new Map(cites.map(({ number, at }) => [`[${number}]`, at]));
    const parts = text.split(/(\[\d+\])/).map((part): Child => {
      const at = places.get(part);
      if (at === undefined) return part;
      const button = el('button', 'cite', part);
      button.type = 'button';
      button.title = this.page.passages[at]?.title ?? '';
      button.addEventListener('click', () => showPassage(button, at));
      return button;
    });
    return el('span', '', ...parts);
  }

  private passage({ passage: at, number, cited, chips, blocks = [] }: PassageItem): Node {
    const passage = this.page.passages[at];
    if (!passage) return el('li');
    const { id, title, text, hit } = passage;
    const head: Child[] = [
      ...(number === undefined ? [] : [el('b', 'number', `[${number}]`)]),
      el('span', 'title', title || id),
      ...(title ? [el('code', 'id', id)] : []),
      ...(hit ? [chip({ text: 'holds an answer', tone: 'good' })] : []),
      ...(cited ? [chip({ text: 'cited', tone: 'good' })] : []),
      ...chips.map(chip),
    ];
    const made = blocks.map((block) => this.block(block));
    const below = made.length === 0 ? [] : [el('div', 'made', ...made)];
    if (text === null) return el('li', '', el('div', 'row bare head', ...head), ...below);
    const details = el('details', '', el('summary', 'head', ...head), this.marked(text));
    details.dataset.at = String(at);
    return el('li', '', details, ...below);
  }

  /** A passage with the accepted answers marked. */
  private marked(text: string): Node {
    const names = this.page.answers.flatMap((names) => names.split(' / '));
    const wanted = names.filter((name) => name.length > 1 && name.length < 60);
    if (wanted.length === 0) return el('p', 'prose', text);
    const escaped = wanted.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'));
    return el('p', 'prose', ...parts.map((part, i) => (i % 2 === 1 ? el('mark', '', part) : part)));
  }

  private card(shown: Card): Node {
    const head = el('div', 'row head', ...titleOf(shown));
    const card = el('div', 'card', head, ...shown.blocks.map((block) => this.block(block)));
    if (shown.chosen) card.classList.add('chosen');
    if (shown.call !== undefined) card.dataset.call = shown.call;
    return card;
  }

  private tree(nodes: readonly TreeNode[]): HTMLElement {
    return el('ul', 'tree', ...nodes.map((node) => this.treeNode(node)));
  }

  private treeNode(shown: TreeNode): Node {
    const { chosen, dropped, blocks, children } = shown;
    const head = titleOf(shown);
    const body = blocks.map((block) => this.block(block));
    const node =
      body.length === 0
        ? el('div', 'row node head', ...head)
        : el('details', 'node', el('summary', 'head', ...head), ...body);
    if (chosen) node.classList.add('chosen');
    if (dropped) node.classList.add('dropped');
    return el('li', '', node, ...(children.length === 0 ? [] : [this.tree(children)]));
  }
}

function titleOf({ title, chips, chosen }: Card): Node[] {
  const answer: Chip[] = chosen ? [{ text: 'the answer', tone: 'good' }] : [];
  return [el('strong', '', title), ...[...answer, ...chips].map(chip)];
}

function chip({ text, tone }: Chip): Node {
  return el('span', `chip ${tone}`, text);
}

/** How a question ended, and its answer or what stands in its place. */
function answerLine(state: string, answer: Node): Node {
  return el('p', 'answer', el('span', `chip ${state}`, state), answer);
}

/** What a person says of an answer. */
function marked({ says, note, against }: NonNullable<RunPanel['mark']>): Node {
  const otherwise =
    against.length > 0 ? [chip({ text: `otherwise by ${against.join(', ')}`, tone: 'warn' })] : [];
  const said = says === null ? [] : [chip({ text: `marked ${says}`, tone: 'plain' })];
  return el('p', '', ...said, ...otherwise, ' ', note);
}

function table({ head, rows, chosen }: Extract<Block, { type: 'table' }>): Node {
  const cells = (tag: 'th' | 'td', texts: readonly string[], className = '') =>
    el('tr', className, ...texts.map((text) => el(tag, '', text)));
  const lines = rows.map((row, i) => cells('td', row, i === chosen ? 'chosen' : ''));
  const body = el('tbody', '', ...lines);
  const scroller = el('div', 'scroller', el('table', '', el('thead', '', cells('th', head)), body));
  scroller.tabIndex = 0;
  scroller.role = 'region';
  scroller.ariaLabel = head.join(', ');
  return scroller;
}

/** Opens the passage in the list nearest to where it is cited, and goes there. */
function showPassage(from: Element, at: number): void {
  const found = from
    .closest('.panel')
    ?.querySelector<HTMLDetailsElement>(`details[data-at="${at}"]`);
  if (!found) return;
  for (let outer = found.parentElement; outer; outer = outer.parentElement) {
    if (outer instanceof HTMLDetailsElement) outer.open = true;
  }
  found.open = true;
  found.scrollIntoView({ block: 'center' });
  found.querySelector('summary')?.focus();
}

/** @param data position of its data set: only runs of it were asked. */
function show(page: QuestionPage, data: number): void {
  const renderer = new SectionRenderer(page);
  const own = index.runs.flatMap((run, i) => (run.data === data ? [i] : []));
  const there = page.runs.flatMap((run, i) => (run ? [i] : []));
  const current = there.includes(chosenRun) ? chosenRun : (there[0] ?? 0);
  const panels = page.runs.map((run, i) => {
    const panel = el(
      'div',
      'panel',
      ...(run ? renderer.run(run) : [el('p', 'note', 'Not ended.')]),
    );
    panel.hidden = i !== current;
    panel.role = 'region';
    panel.ariaLabel = index.runs[i]?.run ?? '';
    panel.dataset.run = String(i);
    return panel;
  });
  const golden = page.answers.map((answer) => el('span', 'gold', answer));
  article.replaceChildren(
    el('h3', '', page.question),
    el('p', 'row accepted', el('span', 'label', 'Accepted'), ...golden, el('code', 'id', page.id)),
    ...page.sides.map((side) => sideBySide(page, renderer, side)),
    ...(own.length > 1 ? [tabs(page, panels, { own, current })] : []),
    ...own.flatMap((i) => panels[i] ?? []),
  );
  article.dispatchEvent(new CustomEvent('shown', { detail: page }));
  article.scrollTo(0, 0);
  find('#opened').textContent = page.question;
}

/** A fork beside the run that it is forked of, from where they differ. */
function sideBySide(
  page: QuestionPage,
  renderer: SectionRenderer,
  { fork, parent, sections }: SideBySide,
): Node {
  const columns = [parent, fork].map((at, side) => {
    const [name = '', run] = [index.runs[at]?.name, page.runs[at]];
    const shown = sections.flatMap((pair) => run?.sections[pair[side] ?? -1] ?? []);
    return el(
      'div',
      'side',
      el('p', `run ${index.runs[at]?.colour}`, el('i', 'dot'), name),
      answerLine(run?.state ?? '', el('span', '', run?.answer.text ?? '')),
      ...shown.map((section) => renderer.section(section)),
    );
  });
  return el('section', 'sides', ...columns);
}

/**
 * The runs of a question, of which one is shown.
 *
 * @param own positions of the runs that the question is of.
 */
function tabs(
  page: QuestionPage,
  panels: readonly HTMLElement[],
  { own, current }: { own: readonly number[]; current: number },
): Node {
  const reveal = (chosen: number) => {
    chosenRun = chosen;
    for (const [i, panel] of panels.entries()) panel.hidden = i !== chosen;
  };
  if (own.length > MOST_TABS) return choice(page, { own, current, reveal });
  const labels = own.map((i) => {
    const { name = '', colour = '', run = '' } = index.runs[i] ?? {};
    const state = page.runs[i]?.state ?? 'open';
    const button = el('input');
    button.type = 'radio';
    button.name = 'panel';
    button.checked = i === current;
    button.ariaLabel = `${name} (${run}): ${state}`;
    button.addEventListener('input', () => reveal(i));
    const shown = el('span', '', el('i', 'dot'), name, el('span', `mark ${state}`));
    const label = el('label', colour, button, shown);
    label.title = button.ariaLabel;
    return label;
  });
  reveal(current);
  return el('fieldset', 'tabs', ...labels);
}

interface Choice {
  own: readonly number[];
  current: number;
  reveal: (run: number) => void;
}

/** The runs of a question as a list to choose from. */
function choice(page: QuestionPage, { own, current, reveal }: Choice): Node {
  const options = own.map((i) => {
    const state = page.runs[i]?.state ?? 'open';
    return new Option(`${index.runs[i]?.name}: ${state}`, String(i), false, i === current);
  });
  const select = el('select', '', ...options);
  select.ariaLabel = 'Run';
  select.addEventListener('input', () => reveal(Number(select.value)));
  reveal(current);
  return select;
}

async function follow(): Promise<void> {
  const position = places.get(new URLSearchParams(location.hash.slice(1)).get('q') ?? '');
  if (position === undefined) {
    article.replaceChildren(el('p', 'note', 'Choose a question.'));
    return;
  }
  const address = location.hash;
  const page = await readPage(position);
  // Another question may have been opened meanwhile.
  const data = index.rows[position]?.data ?? 0;
  if (page && location.hash === address) show(page, data);
}

function open(): void {
  follow().catch((error) => {
    article.replaceChildren(el('p', 'note', `The question cannot be shown. ${error}`));
  });
}

addEventListener('hashchange', open);
open();
